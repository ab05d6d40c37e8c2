(* The proof of docs/latin.md, checked by machine:

     coqc docs/latin.v        (make latin-proof; Coq 8.16 and newer, nothing but its standard library)

   N = 2 q terminals with q odd, that is N congruent to 2 mod 4, and m stages with N <= 2^m. The names are those of the page:
   a = 2^(m-1) - q is the first number of the window, L = 2^(m-k) and h = 2^(k-1) behind stage k, e(c) = floor(q c / L).
   "x and y are the same mod N" is written (N | x - y). *)

Require Import ZArith Znumtheory Zpow_facts Lia.
Open Scope Z_scope.

Section Exchange.

Variables q m : Z.
Hypothesis q_positive : 0 < q.
Hypothesis q_odd : exists j, q = 2 * j + 1.
Hypothesis stages : 2 <= m.
Hypothesis room : 2 * q <= 2 ^ m.

Definition N := 2 * q.
Definition a := 2 ^ (m - 1) - q.

(* Where a message of terminal S with label M is behind k stages: the shuffle and the switch lead from x to 2 x + bit mod N. *)
Definition bit (M : Z) (k : nat) := (M / 2 ^ (m - 1 - Z.of_nat k)) mod 2.
Fixpoint position (S M : Z) (k : nat) : Z :=
  match k with
  | O => S mod N
  | Datatypes.S k => (2 * position S M k + bit M k) mod N
  end.

(* The label M of terminal S in round t, and whom it is for. *)
Definition is_label (S t M : Z) := a <= M < a + N /\ (N | M - (a - 2 ^ m) * (S - t)).
Definition destination (S t : Z) := (a * S + (2 ^ m - a) * t) mod N.

(* ---- Powers of two ---- *)

Lemma power_positive : forall k, 0 <= k -> 0 < 2 ^ k.
Proof. intros; apply Z.pow_pos_nonneg; lia. Qed.

Lemma power_twice : forall k, 1 <= k -> 2 ^ k = 2 * 2 ^ (k - 1).
Proof. intros k H. rewrite <- Z.pow_succ_r by lia. f_equal; lia. Qed.

Lemma power_split : forall k, 0 <= k <= m -> 2 ^ m = 2 ^ (m - k) * 2 ^ k.
Proof. intros k H. rewrite <- Z.pow_add_r by lia. f_equal; lia. Qed.

(* ---- A label fits its bits ---- *)

Lemma labels_fit : forall S t M, is_label S t M -> 0 <= M < 2 ^ m.
Proof.
  intros S t M [H _]. unfold a, N in H. pose proof (power_twice m ltac:(lia)). lia.
Qed.

(* ---- a and 2^m - a are prime to N ---- *)

Lemma power_prime_to_q : forall k, 0 <= k -> rel_prime q (2 ^ k).
Proof.
  intros k H. apply rel_prime_Zpower_r; [assumption |].
  destruct q_odd as [j E]. apply bezout_rel_prime, (Bezout_intro _ _ _ 1 (- j)). lia.
Qed.

(* 2^(m-1) plus or minus q: odd, and prime to q. *)
Lemma prime_to_N : forall s, s = 1 \/ s = -1 -> rel_prime (2 ^ (m - 1) + s * q) N.
Proof.
  intros s sign. unfold N. apply rel_prime_mult.
  - destruct q_odd as [j E]. rewrite (power_twice (m - 1)) by lia.
    destruct sign; subst s; apply bezout_rel_prime.
    + apply (Bezout_intro _ _ _ 1 (- (2 ^ (m - 1 - 1) + j))). lia.
    + apply (Bezout_intro _ _ _ 1 (- (2 ^ (m - 1 - 1) - j - 1))). lia.
  - apply rel_prime_sym. pose proof (power_prime_to_q (m - 1) ltac:(lia)) as P.
    apply rel_prime_bezout in P. destruct P as [u v E].
    apply bezout_rel_prime, (Bezout_intro _ _ _ (u - s * v) v). lia.
Qed.

Lemma a_prime_to_N : rel_prime N a.
Proof.
  apply rel_prime_sym. replace a with (2 ^ (m - 1) + -1 * q) by (unfold a; lia). apply prime_to_N; auto.
Qed.

Lemma step_prime_to_N : rel_prime N (2 ^ m - a).
Proof.
  apply rel_prime_sym. pose proof (power_twice m ltac:(lia)).
  replace (2 ^ m - a) with (2 ^ (m - 1) + 1 * q) by (unfold a; lia). apply prime_to_N; auto.
Qed.

(* ---- Every pair exactly once, and every round a permutation ---- *)

Lemma same : forall x y, x mod N = y mod N <-> (N | x - y).
Proof.
  intros x y. assert (NZ : N <> 0) by (unfold N; lia). split; intro H.
  - exists (x / N - y / N). pose proof (Z.div_mod x N NZ). pose proof (Z.div_mod y N NZ). nia.
  - destruct H as [j H]. replace x with (y + j * N) by lia. apply Z.mod_add, NZ.
Qed.

Theorem each_round_another_destination :
  forall S t1 t2, destination S t1 = destination S t2 -> (N | t1 - t2).
Proof.
  intros S t1 t2 H. apply same in H. apply (Gauss N (2 ^ m - a)); [| apply step_prime_to_N].
  replace ((2 ^ m - a) * (t1 - t2)) with (a * S + (2 ^ m - a) * t1 - (a * S + (2 ^ m - a) * t2)) by ring.
  exact H.
Qed.

Theorem each_source_another_destination :
  forall S1 S2 t, destination S1 t = destination S2 t -> (N | S1 - S2).
Proof.
  intros S1 S2 t H. apply same in H. apply (Gauss N a); [| apply a_prime_to_N].
  replace (a * (S1 - S2)) with (a * S1 + (2 ^ m - a) * t - (a * S2 + (2 ^ m - a) * t)) by ring.
  exact H.
Qed.

(* ---- Where a message is ---- *)

Lemma where_it_is : forall S M k, 0 <= M < 2 ^ m -> Z.of_nat k <= m ->
  position S M k = ((2 ^ m * S + M) / 2 ^ (m - Z.of_nat k)) mod N.
Proof.
  intros S M k fits. induction k as [| k IH]; intro H.
  - simpl Z.of_nat. rewrite Z.sub_0_r. simpl. pose proof (power_positive m ltac:(lia)).
    rewrite (Z.mul_comm (2 ^ m) S), Z.div_add_l, Z.div_small by lia. rewrite Z.add_0_r. reflexivity.
  - cbn [position]. rewrite IH by lia. unfold bit.
    replace (m - Z.of_nat (Datatypes.S k)) with (m - 1 - Z.of_nat k) by lia.
    set (r := m - 1 - Z.of_nat k). assert (0 <= r) by (unfold r; lia).
    replace (m - Z.of_nat k) with (r + 1) by (unfold r; lia).
    pose proof (power_positive r ltac:(lia)).
    assert (P : 2 ^ (r + 1) = 2 ^ r * 2) by (rewrite Z.pow_add_r by lia; reflexivity).
    rewrite P, <- Z.div_div by lia.
    assert (B : (M / 2 ^ r) mod 2 = ((2 ^ m * S + M) / 2 ^ r) mod 2).
    { replace (2 ^ m * S + M) with ((2 * 2 ^ Z.of_nat k * S) * 2 ^ r + M).
      - rewrite Z.div_add_l by lia.
        replace (2 * 2 ^ Z.of_nat k * S + M / 2 ^ r) with (M / 2 ^ r + (2 ^ Z.of_nat k * S) * 2) by ring.
        rewrite Z.mod_add by lia. reflexivity.
      - replace (2 ^ m) with (2 ^ (r + 1) * 2 ^ Z.of_nat k)
          by (rewrite <- Z.pow_add_r by lia; f_equal; unfold r; lia).
        rewrite P. ring. }
    rewrite B. set (Y := (2 ^ m * S + M) / 2 ^ r).
    rewrite <- Z.add_mod_idemp_l, Z.mul_mod_idemp_r, Z.add_mod_idemp_l by (unfold N; lia).
    f_equal. pose proof (Z.div_mod Y 2 ltac:(lia)). lia.
Qed.

Theorem it_arrives : forall S t M, is_label S t M -> position S M (Z.to_nat m) = destination S t.
Proof.
  intros S t M label. pose proof (labels_fit _ _ _ label) as fits. destruct label as [_ [j E]].
  rewrite where_it_is by (try rewrite Z2Nat.id; lia). rewrite Z2Nat.id by lia.
  rewrite Z.sub_diag, Z.div_1_r. unfold destination. apply same. exists j. lia.
Qed.

(* ---- No conflict ---- *)

Section Stage.

Variable k : Z.
Hypothesis a_stage : 1 <= k <= m.
Let L := 2 ^ (m - k).
Let h := 2 ^ (k - 1).
Definition e (c : Z) := (q * c) / 2 ^ (m - k).

Lemma L_positive : 0 < L.
Proof. apply power_positive; lia. Qed.

Lemma L_h : L * h = 2 ^ (m - 1).
Proof. unfold L, h. rewrite <- Z.pow_add_r by lia. f_equal; lia. Qed.

(* A message T, moved so that 2^k T is 2 v: X has the form L v + q c, and c and v meet these bounds. *)
Lemma form : forall T v X, (N | X - a * T) -> (N | 2 ^ k * T - 2 * v) ->
  2 * L * v + a <= X < 2 * L * v + a + N ->
  exists c, X = L * v + q * c /\ e (c - 1) < v + h <= e (c + 1).
Proof.
  intros T v X [i Ei] [j Ej] bounds. pose proof L_positive. pose proof L_h.
  assert (hT : h * T = v + q * j).
  { rewrite (power_twice k) in Ej by lia. fold h in Ej. unfold N in Ej. lia. }
  exists (2 * i - T + L * j). split.
  - unfold N in Ei. assert (X = 2 * q * i + a * T) as -> by lia. unfold a. rewrite <- L_h.
    replace ((L * h - q) * T) with (L * (h * T) - q * T) by ring. rewrite hT. ring.
  - set (c := 2 * i - T + L * j).
    assert (EX : X = L * v + q * c).
    { unfold c, N in *. assert (X = 2 * q * i + a * T) as -> by lia. unfold a. rewrite <- L_h.
      replace ((L * h - q) * T) with (L * (h * T) - q * T) by ring. rewrite hT. ring. }
    rewrite EX in bounds. unfold a, N in bounds. rewrite <- L_h in bounds. unfold e. fold L. split.
    + apply Z.div_lt_upper_bound; nia.
    + apply Z.div_le_lower_bound; nia.
Qed.

Lemma e_monotone : forall c d, c <= d -> e c <= e d.
Proof. intros c d H. pose proof L_positive. unfold e. fold L. apply Z.div_le_mono; nia. Qed.

(* The intervals (e(c-1) + e(c), e(c) + e(c+1)] of w + e(c) do not meet. *)
Lemma intervals : forall c d w x,
  e (c - 1) < w <= e (c + 1) -> e (d - 1) < x <= e (d + 1) -> w + e c = x + e d -> c = d /\ w = x.
Proof.
  assert (apart : forall c d w x, e (c - 1) < w <= e (c + 1) -> e (d - 1) < x <= e (d + 1) ->
    w + e c = x + e d -> ~ c < d).
  { intros c d w x W X E less. pose proof (e_monotone c (d - 1) ltac:(lia)).
    pose proof (e_monotone (c + 1) d ltac:(lia)). lia. }
  intros c d w x W X E. assert (c = d).
  { pose proof (apart c d w x W X E). pose proof (apart d c x w X W (eq_sym E)). lia. }
  subst d. lia.
Qed.

Lemma alone : forall T1 v1 X1 T2 v2 X2,
  (N | X1 - a * T1) -> (N | 2 ^ k * T1 - 2 * v1) -> 2 * L * v1 + a <= X1 < 2 * L * v1 + a + N ->
  (N | X2 - a * T2) -> (N | 2 ^ k * T2 - 2 * v2) -> 2 * L * v2 + a <= X2 < 2 * L * v2 + a + N ->
  X1 / L = X2 / L -> (N | T1 - T2).
Proof.
  intros T1 v1 X1 T2 v2 X2 A1 V1 B1 A2 V2 B2 E. pose proof L_positive.
  destruct (form T1 v1 X1 A1 V1 B1) as [c1 [E1 I1]]. destruct (form T2 v2 X2 A2 V2 B2) as [c2 [E2 I2]].
  assert (P : v1 + e c1 = v2 + e c2).
  { rewrite E1, E2, !(Z.mul_comm L), !Z.div_add_l in E by lia. unfold e. fold L. exact E. }
  destruct (intervals c1 c2 (v1 + h) (v2 + h) I1 I2 ltac:(lia)) as [C V].
  assert (X1 = X2) by (rewrite E1, E2; f_equal; [f_equal; lia | subst; reflexivity]).
  apply (Gauss N a); [| apply a_prime_to_N].
  replace (a * (T1 - T2)) with ((X2 - a * T2) - (X1 - a * T1)) by lia. apply Z.divide_sub_r; assumption.
Qed.

End Stage.

(* Of two messages of one round that are at the same position behind a stage, the sources are the same. *)
Theorem no_conflict : forall k t S1 M1 S2 M2, (1 <= k)%nat -> Z.of_nat k <= m ->
  is_label S1 t M1 -> is_label S2 t M2 -> position S1 M1 k = position S2 M2 k -> (N | S1 - S2).
Proof.
  intros k t S1 M1 S2 M2 least most label1 label2 meet.
  pose proof (labels_fit _ _ _ label1) as fits1. pose proof (labels_fit _ _ _ label2) as fits2.
  rewrite !where_it_is in meet by assumption. apply same in meet. destruct meet as [j meet].
  destruct label1 as [window1 [i1 E1]]. destruct label2 as [window2 [i2 E2]].
  set (K := Z.of_nat k) in *. assert (stage : 1 <= K <= m) by lia.
  set (L := 2 ^ (m - K)) in *. set (h := 2 ^ (K - 1)).
  assert (0 < L) by (apply power_positive; lia).
  assert (Lm : 2 ^ m = L * 2 ^ K) by (apply power_split; lia).
  assert (hK : 2 ^ K = 2 * h) by (apply power_twice; lia).
  set (T1 := S1 - t). set (T2 := S2 - t).
  set (X1 := 2 ^ m * T1 + M1). set (X2 := 2 ^ m * T2 + M2 + L * (N * j)).
  assert (N | T1 - T2) as D.
  { apply (alone K stage T1 (h * T1) X1 T2 (h * T2 + q * j) X2); fold L.
    - exists i1. unfold X1. fold T1 in E1. lia.
    - exists 0. rewrite hK. ring.
    - unfold X1. rewrite Lm, hK. replace (2 * L * (h * T1)) with (L * (2 * h) * T1) by ring. lia.
    - exists (i2 + L * j). unfold X2. fold T2 in E2. lia.
    - exists (- j). rewrite hK. unfold N. ring.
    - unfold X2. rewrite Lm, hK. unfold N in *.
      replace (2 * L * (h * T2 + q * j)) with (L * (2 * h) * T2 + L * (2 * q * j)) by ring. lia.
    - assert (Y1 : (2 ^ m * S1 + M1) / L = X1 / L + 2 ^ K * t).
      { replace (2 ^ m * S1 + M1) with ((2 ^ K * t) * L + X1) by (unfold X1, T1; rewrite Lm; ring).
        rewrite Z.div_add_l by lia. ring. }
      assert (Y2 : X2 / L + 2 ^ K * t = (2 ^ m * S2 + M2) / L + N * j).
      { replace X2 with ((N * j - 2 ^ K * t) * L + (2 ^ m * S2 + M2)) by (unfold X2, T2; rewrite Lm; ring).
        rewrite Z.div_add_l by lia. ring. }
      lia. }
  unfold T1, T2 in D. replace (S1 - S2) with (S1 - t - (S2 - t)) by ring. exact D.
Qed.

End Exchange.

(* Nothing is assumed but what the theorems say. *)
Print Assumptions no_conflict.
Print Assumptions it_arrives.
Print Assumptions each_round_another_destination.
Print Assumptions each_source_another_destination.
