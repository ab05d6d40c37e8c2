// Runs complete exchanges under Verilator and says how many switches packets passed a second (scripts/bench-rtl).
//
// Every lane sends its own number as its word, so that a word that arrives can be compared with recv_source_o, which
// the receiving controller knows from the schedule. LANES, STAGES and SOURCE_BITS are given by the compiler's command
// line, as are the model's class and header. Words have 32 bits.
#include "Vexchange.h"
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

// The 32-bit words of a port: Verilator has ports of up to 32 and 64 bits as numbers, wider ones as arrays.
static uint32_t word(const CData &port, int) { return port; }
static uint32_t word(const SData &port, int) { return port; }
static uint32_t word(const IData &port, int) { return port; }
static uint32_t word(const QData &port, int at) { return static_cast<uint32_t>(port >> (32 * at)); }
template <std::size_t Words> static uint32_t word(const VlWide<Words> &port, int at) { return port[at]; }

template <typename Port> static uint32_t bits(const Port &port, int from, int count) {
    uint64_t value = word(port, from / 32);
    if (from % 32 + count > 32) value |= static_cast<uint64_t>(word(port, from / 32 + 1)) << 32;
    return static_cast<uint32_t>(value >> (from % 32)) & ((1u << count) - 1);
}

int main(int argc, char **argv) {
    const int exchanges = argc > 1 ? std::atoi(argv[1]) : 1;
    const auto context = std::make_unique<VerilatedContext>();
    const auto top = std::make_unique<Vexchange>(context.get());
    uint64_t cycles = 0, arrived = 0, wrong = 0;
    const auto cycle = [&] {
        top->clk_i = 1;
        top->eval();
        top->clk_i = 0;
        top->eval();
        ++cycles;
    };
    for (int lane = 0; lane < LANES; ++lane) top->send_data_i[lane] = lane;
    top->start_i = 0;
    top->rst_i = 1;
    for (int period = 0; period < STAGES + 4; ++period) cycle();
    top->rst_i = 0;
    cycle();
    const auto start = std::chrono::steady_clock::now();
    for (int exchange = 0; exchange < exchanges; ++exchange) {
        top->start_i = 1;
        cycle();
        top->start_i = 0;
        for (bool done = false; !done; cycle()) {
            done = top->done_o;
            wrong += top->conflict_o;
            for (int lane = 0; lane < LANES; ++lane) {
                if (!bits(top->recv_valid_o, lane, 1)) continue;
                ++arrived;
                wrong += top->recv_data_o[lane] != bits(top->recv_source_o, lane * SOURCE_BITS, SOURCE_BITS);
            }
        }
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    const uint64_t expected = static_cast<uint64_t>(exchanges) * LANES * LANES;
    if (arrived != expected || wrong) {
        std::fprintf(stderr, "bench: %llu of %llu words arrived, %llu wrong or in conflict\n",
                     static_cast<unsigned long long>(arrived), static_cast<unsigned long long>(expected),
                     static_cast<unsigned long long>(wrong));
        return 1;
    }
    std::printf("%.3e\n", static_cast<double>(arrived) * STAGES / time.count());
    return 0;
}
