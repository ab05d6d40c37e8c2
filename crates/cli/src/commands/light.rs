//! `frit light`.

use crate::Verdict;
use crate::args::LightArgs;
use crate::design::design;
use crate::table;
use crate::ui::{HEAD, Ui};
use anyhow::{Result, bail};
use frit_network::light::PUBLISHED;
use frit_network::{Aim, Choice, Light};
use frit_schedule::Plan;
use frit_schedule::light::every::{Gain, MAX_SWITCHES, Worth, every};
use frit_schedule::light::{CHOOSE, Meter, Round, check, has_choice, in_decibels, is_exchange, of_square};
use frit_schedule::stuck::squares::Square;
use serde_json::{Value, json};

pub fn run(ui: &Ui, args: &LightArgs) -> Result<Verdict> {
    let plan = &design(&args.design)?.into_plan()?;
    check(plan)?;
    let light = &light_of(plan, args)?;
    if !plan.stuck.is_empty() && (args.every || args.squares) {
        bail!("--every and --squares look at a network without stuck switches; leave --stuck out");
    }
    if args.every && !is_exchange(plan) {
        bail!("--every tries all permutations of a network; leave --permutation out");
    }
    if args.every {
        return of_permutations(ui, args, plan, light);
    }
    let squares = match args.squares {
        true if !is_exchange(plan) => {
            bail!("--squares compares complete exchanges; {} is not one; leave --squares out", plan.name())
        }
        true if !has_choice(plan) => {
            bail!("other Latin squares are known on the networks of rls and benes; leave --squares out")
        }
        true => Square::compared(plan),
        false => vec![Square::of_plan(plan)],
    };
    let bar = ui.progress(
        &format!("{}: choosing settings", plan.name()),
        Some(u64::from(plan.rounds) * 3 * squares.len() as u64),
    );
    let mut found = Vec::new();
    for square in &squares {
        for (_, aim) in Aim::ALL {
            let rounds = of_square(square, plan.rounds, light, aim, || bar.inc(1));
            found.push(Summary { square: square.name, aim, rounds });
        }
    }
    bar.finish_and_clear();
    let value = json!({
        "design": plan.name(), "switch": switch(light),
        "figures": found.iter().map(|of| of.value(args.list)).collect::<Vec<_>>(),
    });
    ui.report(args.format, &value, || text(plan, args, light, &found))?;
    Ok(Verdict::Fine)
}

/// The switch that is asked for, else that for which the settings of the plan were chosen, else the first that is published.
fn light_of(plan: &Plan, args: &LightArgs) -> Result<Light> {
    match (&args.switch, plan.options.get(CHOOSE.name)) {
        (Some(light), _) => Ok(light.clone()),
        (None, Some(choice)) => Ok(Choice::parse(choice.as_str())?.light),
        (None, None) => Ok(PUBLISHED[0].light.clone()),
    }
}

/// What the rounds of an exchange come to for one aim.
struct Summary {
    square: &'static str,
    aim: Aim,
    rounds: Vec<Round>,
}

/// A round as its system sets it, as it was chosen, and what it cannot fall below.
fn figures(aim: Aim, round: &Round) -> [Option<u64>; 3] {
    let chosen = round.chosen.as_ref();
    [Some(round.own.of(aim)), chosen.map(|chosen| chosen.figures.of(aim)), chosen.map(|chosen| chosen.bound)]
}

impl Summary {
    /// The worst of all rounds.
    fn worst(&self) -> [Option<u64>; 3] {
        [0, 1, 2].map(|at| self.rounds.iter().filter_map(|round| figures(self.aim, round)[at]).max())
    }

    /// Rounds whose bound is reached, if they have one.
    fn at_bound(&self) -> Option<usize> {
        let reached = |round: &&Round| {
            let [_, chosen, bound] = figures(self.aim, round);
            chosen == bound
        };
        self.worst()[1].map(|_| self.rounds.iter().filter(reached).count())
    }

    fn value(&self, list: bool) -> Value {
        let decibels = |figure: Option<u64>| figure.map(|figure| in_decibels(self.aim, figure));
        let [own, chosen, bound] = self.worst().map(decibels);
        let mut value = json!({
            "square": self.square, "aim": self.aim.word(), "own_db": own, "chosen_db": chosen, "bound_db": bound,
            "rounds": self.rounds.len(), "rounds_at_bound": self.at_bound(),
        });
        if list {
            let row = |round: &Round| json!(figures(self.aim, round).map(decibels));
            value["list"] = self.rounds.iter().map(row).collect();
        }
        value
    }

    fn row(&self) -> Vec<String> {
        let figures = self.worst().map(|figure| shown(self.aim, figure));
        let rounds =
            self.at_bound().map_or("–".into(), |count| format!("{count} of {}", self.rounds.len()));
        [vec![self.aim.word().into()], figures.to_vec(), vec![rounds]].concat()
    }
}

fn shown(aim: Aim, figure: Option<u64>) -> String {
    figure.map_or("–".into(), |figure| decibels(aim, figure))
}

fn decibels(aim: Aim, figure: u64) -> String {
    format!("{:.2} dB", in_decibels(aim, figure))
}

fn switch(light: &Light) -> Value {
    let published = light.published();
    json!({
        "name": published.map(|published| published.name), "source": published.map(|published| published.source),
        "straight_loss_mdb": light.straight.loss, "straight_crosstalk_mdb": light.straight.crosstalk,
        "cross_loss_mdb": light.cross.loss, "cross_crosstalk_mdb": light.cross.crosstalk, "crossing_loss_mdb": light.crossing,
    })
}

fn head(plan: &Plan, light: &Light) -> String {
    format!(
        "{HEAD}{}{HEAD:#}\nswitch {}: {light}\n\n",
        plan.name(),
        light.published().map_or("of your own", |published| published.name)
    )
}

fn text(plan: &Plan, args: &LightArgs, light: &Light, found: &[Summary]) -> String {
    let mut text = head(plan, light);
    if args.squares {
        let row = |of: &Summary| [vec![of.square.to_string()], of.row()].concat();
        let rows: Vec<Vec<String>> = found.iter().map(row).collect();
        text += &table::render(&["rounds k", "worst", "as made", "chosen", "bound", "at the bound"], &rows);
        return text;
    }
    let rows: Vec<Vec<String>> = found.iter().map(Summary::row).collect();
    text += &table::render(&["worst", "as made", "chosen", "bound", "rounds at the bound"], &rows);
    if !has_choice(plan) {
        text +=
            "No other settings of these rounds are known: rls and benes have some, if no switch is stuck.\n";
    }
    if args.list {
        let row = |round: usize| {
            let of = |of: &Summary| figures(of.aim, &of.rounds[round]).map(|figure| shown(of.aim, figure));
            [vec![round.to_string()], found.iter().flat_map(of).collect()].concat()
        };
        let rows: Vec<Vec<String>> = (0..plan.rounds as usize).map(row).collect();
        let of_aim = |(word, _)| [word, "chosen", "bound"];
        let head: Vec<&str> = ["round"].into_iter().chain(Aim::ALL.into_iter().flat_map(of_aim)).collect();
        text += "\n";
        text += &table::render(&head, &rows);
    }
    text
}

fn of_permutations(ui: &Ui, args: &LightArgs, plan: &Plan, light: &Light) -> Result<Verdict> {
    let mut meter = Meter::new(&plan.network, light);
    let bar = ui.progress(&format!("{}: trying all settings", plan.name()), None);
    let found = every(&mut meter, Square::of_plan(plan).is_looped());
    bar.finish_and_clear();
    let Some(found) = found else {
        bail!(
            "{} has {} switches, too many for --every, which tries all settings; use a smaller -n, with at most {MAX_SWITCHES} switches",
            plan.name(),
            plan.network.switches()
        );
    };
    let gain = |gain: Gain| json!({"mean_db": rounded(gain.mean), "most_db": rounded(gain.most)});
    let row = |((word, aim), worth): (&(&str, Aim), &Worth)| {
        json!({
            "aim": word, "greatest_db": in_decibels(*aim, worth.greatest), "least_db": in_decibels(*aim, worth.least),
            "over_worst": gain(worth.over_worst), "over_looping": worth.over_looping.map(gain),
        })
    };
    let rows: Vec<Value> = Aim::ALL.iter().zip(&found).map(row).collect();
    let value = json!({
        "design": plan.name(), "switch": switch(light), "permutations": found[0].permutations, "figures": rows,
    });
    ui.report(args.format, &value, || permutations_text(plan, light, &found))?;
    Ok(Verdict::Fine)
}

/// In thousandths.
fn rounded(decibels: f64) -> f64 {
    (decibels * 1e3).round() / 1e3
}

fn permutations_text(plan: &Plan, light: &Light, found: &[Worth; 3]) -> String {
    let gain = |gain: Gain| format!("{:.2} dB, up to {:.2} dB", gain.mean, gain.most);
    let row = |((word, aim), worth): (&(&str, Aim), &Worth)| {
        vec![
            word.to_string(),
            decibels(*aim, worth.greatest),
            decibels(*aim, worth.least),
            gain(worth.over_worst),
            worth.over_looping.map_or("–".into(), gain),
        ]
    };
    let rows: Vec<Vec<String>> = Aim::ALL.iter().zip(found).map(row).collect();
    let table = table::render(
        &["worst", "of all settings", "of chosen ones", "gain over the worst settings", "gain over looping"],
        &rows,
    );
    format!(
        "{}{} permutations, all 2^{} settings\n{table}",
        head(plan, light),
        found[0].permutations,
        plan.network.switches()
    )
}
