// Whether two automata without data, a design and its mutant, from registers at 0 on ever show anything else, whatever their few
// inputs do: the algorithm of Hopcroft and Karp. A pair of states that are reached together is equal if the same is shown, and all
// pairs behind it are equal. Two states that were found equal to a third one are not compared again, so that there are no more pairs
// than states, though each of a copy may meet each of the other.
//
// The graph is a binary AIGER file with one output, which says that the copies show something else, and a comment: of each register
// the copy, 1, 2, or 3 for one that both share, and its place in the design. With all in copy 1 its states are counted.
//
//     pairs GRAPH MOST              from the reset on
//     pairs GRAPH MOST to STATES    the same, and writes the states of copy 1
//     pairs GRAPH MOST from STATES  from each of these, too, in both copies
//
// Prints `never STATES`, `seen CYCLES`, or `more MOST` if the copies have more states than that.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using Word = uint64_t;

struct Graph {
  unsigned inputs, latches, output;
  std::vector<unsigned> next;                        // of each register
  std::vector<std::pair<unsigned, unsigned>> gates;  // behind inputs and registers
  std::vector<unsigned> place, copy;                 // of each register

  explicit Graph(const char* path) {
    std::ifstream file(path, std::ios::binary);
    std::string magic;
    unsigned most, outputs, ands;
    if (!(file >> magic >> most >> inputs >> latches >> outputs >> ands) || magic != "aig" || outputs != 1) fail(path);
    next.resize(latches);
    for (unsigned& literal : next) file >> literal;
    file >> output;
    file.get();
    for (unsigned out = 2 * (inputs + latches + 1); gates.size() < ands; out += 2) {
      unsigned high = out - delta(file);
      gates.push_back({high, high - delta(file)});
    }
    place.resize(latches);
    copy.resize(latches);
    char comment;
    file >> comment;
    for (unsigned at = 0; at < latches; at++) file >> copy[at] >> place[at];
    if (!file) fail(path);
  }

  static unsigned delta(std::ifstream& file) {
    unsigned value = 0;
    for (unsigned shift = 0;; shift += 7) {
      int byte = file.get();
      value |= unsigned(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  static void fail(const char* path) {
    std::cerr << path << ": not what was expected\n";
    exit(1);
  }
};

// Bit c of word r becomes bit r of word c.
void transpose(Word* rows) {
  Word mask = 0x00000000ffffffff;
  for (unsigned step = 32; step; step >>= 1, mask ^= mask << step) {
    for (unsigned r = 0; r < 64; r = (r + step + 1) & ~step) {
      Word change = ((rows[r] >> step) ^ rows[r + step]) & mask;
      rows[r] ^= change << step;
      rows[r + step] ^= change;
    }
  }
}

// States, each once, numbered in the order in which they were found.
struct States {
  unsigned words;
  std::vector<Word> all;
  std::vector<uint32_t> slots = std::vector<uint32_t>(1 << 16);
  size_t count = 0;

  size_t number(const Word* state) {
    if (2 * count > slots.size()) grow();
    uint32_t& slot = find(state);
    if (!slot) {
      all.insert(all.end(), state, state + words);
      slot = ++count;
    }
    return slot - 1;
  }

  uint32_t& find(const Word* state) {
    Word hash = 0;
    for (unsigned at = 0; at < words; at++) hash = (hash ^ state[at]) * 0x9e3779b97f4a7c15, hash ^= hash >> 29;
    size_t at = hash & (slots.size() - 1);
    while (slots[at] && memcmp(&all[size_t(slots[at] - 1) * words], state, 8 * words)) at = (at + 1) & (slots.size() - 1);
    return slots[at];
  }

  void grow() {
    slots.assign(2 * slots.size(), 0);
    for (size_t at = 0; at < count; at++) find(&all[at * words]) = at + 1;
  }
};

// The states of both copies, which of them are equal, and the pairs that say so.
struct Pairs {
  unsigned words;
  std::vector<Word> masks[2], all, part;
  States copies[2];
  std::vector<uint32_t> equal;  // of states of copy 1 at even places, of copy 2 at odd ones: one that it is equal to
  size_t count = 0;

  explicit Pairs(const Graph& graph) : words((graph.latches + 63) / 64) {
    for (unsigned copy = 0; copy < 2; copy++) {
      masks[copy].resize(words);
      copies[copy].words = words;
      for (unsigned at = 0; at < graph.latches; at++) masks[copy][at / 64] |= Word(graph.copy[at] >> copy & 1) << at % 64;
    }
    part.resize(words);
  }

  void add(const Word* pair) {
    size_t roots[2];
    for (unsigned copy = 0; copy < 2; copy++) {
      for (unsigned at = 0; at < words; at++) part[at] = pair[at] & masks[copy][at];
      const size_t node = 2 * copies[copy].number(part.data()) + copy;
      while (equal.size() <= node) equal.push_back(equal.size());
      roots[copy] = root(node);
    }
    if (roots[0] == roots[1]) return;
    equal[roots[1]] = roots[0];
    all.insert(all.end(), pair, pair + words);
    count++;
  }

  size_t root(size_t node) {
    while (equal[node] != node) node = equal[node] = equal[equal[node]];
    return node;
  }
};

// The graph for a cycle of 64 lanes: states, each with every choice of the inputs.
struct Cycle {
  const Graph& graph;
  const unsigned choices = 1u << graph.inputs, batch = 64 / choices;
  std::vector<Word> value = std::vector<Word>(1 + graph.inputs + graph.latches + graph.gates.size());
  std::vector<std::pair<unsigned, unsigned>> twins;  // registers of both copies with the same place

  explicit Cycle(const Graph& of) : graph(of) {
    if (graph.inputs > 6) Graph::fail("inputs");
    for (unsigned at = 0; at < graph.inputs; at++) {
      for (unsigned lane = 0; lane < 64; lane++) value[1 + at] |= Word(lane >> at & 1) << lane;
    }
    std::map<unsigned, unsigned> first;
    for (unsigned at = 0; at < graph.latches; at++) {
      if (graph.copy[at] == 1) first[graph.place[at]] = at;
    }
    for (unsigned at = 0; at < graph.latches; at++) {
      if (graph.copy[at] == 2) twins.push_back({first.count(graph.place[at]) ? first[graph.place[at]] : ~0u, at});
    }
  }

  Word of(unsigned literal) const { return value[literal / 2] ^ (0 - Word(literal & 1)); }
  Word& latch(unsigned at) { return value[1 + graph.inputs + at]; }

  // So many states of so many words, as a word for each bit.
  std::vector<Word> columns(const Word* states, size_t count, unsigned words) const {
    std::vector<Word> all(64 * words);
    for (unsigned block = 0; block < words; block++) {
      for (unsigned lane = 0; lane < count * choices; lane++) all[64 * block + lane] = states[lane / choices * words + block];
      transpose(&all[64 * block]);
    }
    return all;
  }

  // Whether the output is 1 for one of so many states.
  bool seen(size_t count) {
    Word* out = &value[1 + graph.inputs + graph.latches];
    for (const auto& [a, b] : graph.gates) *out++ = of(a) & of(b);
    return of(graph.output) & lanes(count);
  }

  Word lanes(size_t count) const { return count * choices == 64 ? ~Word(0) : (Word(1) << count * choices) - 1; }

  // The lanes in which the copies do not hold the same behind this cycle.
  Word apart(size_t count) const {
    Word differ = 0;
    for (const auto& [one, other] : twins) differ |= one == ~0u ? ~Word(0) : of(graph.next[one]) ^ of(graph.next[other]);
    return differ & lanes(count);
  }

  // What some lanes hold behind this cycle.
  void add(Word chosen, Pairs& pairs) const {
    std::vector<Word> rows(64 * pairs.words), pair(pairs.words);
    for (unsigned at = 0; at < graph.latches; at++) rows[at] = of(graph.next[at]);
    for (unsigned block = 0; block < pairs.words; block++) transpose(&rows[64 * block]);
    for (unsigned lane = 0; lane < 64; lane++) {
      if (!(chosen >> lane & 1)) continue;
      for (unsigned block = 0; block < pairs.words; block++) pair[block] = rows[64 * block + lane];
      pairs.add(pair.data());
    }
  }
};

int answer(const char* said, size_t count) {
  std::cout << said << " " << count << "\n";
  return 0;
}

int main(int given, char** argument) {
  if (given != 3 && given != 5) Graph::fail("pairs GRAPH MOST [to|from STATES]");
  const Graph graph(argument[1]);
  const size_t most = strtoull(argument[2], nullptr, 10);
  const bool from = given == 5 && !strcmp(argument[3], "from");
  Pairs pairs(graph);
  Cycle cycle(graph);
  const size_t batch = cycle.batch;
  uint32_t wide = pairs.words;
  if (from) {
    // The design's states are all that it reaches: behind them copies that hold the same are there already.
    std::ifstream file(argument[4], std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&wide), 4)) Graph::fail(argument[4]);
    std::vector<Word> states(batch * wide);
    while (file) {
      file.read(reinterpret_cast<char*>(states.data()), 8 * states.size());
      const size_t now = file.gcount() / (8 * wide);
      const std::vector<Word> columns = cycle.columns(states.data(), now, wide);
      for (unsigned at = 0; at < graph.latches; at++) cycle.latch(at) = columns[graph.place[at]];
      if (cycle.seen(now)) return answer("seen", 0);
      if (const Word apart = cycle.apart(now)) cycle.add(apart, pairs);
    }
  } else {
    pairs.add(std::vector<Word>(pairs.words).data());
  }
  size_t cycles = 0, level = pairs.count;  // the pairs before this one are as many cycles away
  for (size_t done = 0; done < pairs.count;) {
    if (done == level) cycles++, level = pairs.count;
    const size_t now = std::min(batch, level - done);
    const std::vector<Word> columns = cycle.columns(&pairs.all[done * pairs.words], now, pairs.words);
    for (unsigned at = 0; at < graph.latches; at++) cycle.latch(at) = columns[at];
    if (cycle.seen(now)) return answer("seen", cycles);
    // The copies hold the same in the design's states alone, which were there.
    cycle.add(from ? cycle.apart(now) : cycle.lanes(now), pairs);
    done += now;
    if (pairs.copies[0].count + pairs.copies[1].count > most) return answer("more", most);
  }
  if (given == 5 && !from) {
    const States& states = pairs.copies[0];
    std::ofstream file(argument[4], std::ios::binary);
    file.write(reinterpret_cast<const char*>(&wide), 4);
    file.write(reinterpret_cast<const char*>(states.all.data()), 8 * states.all.size());
  }
  return answer("never", pairs.copies[0].count + pairs.copies[1].count);
}
