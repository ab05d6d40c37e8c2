"""A streaming FFT in fixed point: its Verilog, made of columns of butterflies and of permutations by frit, and how wrong it may be.

The transform of L = 2^m words on P lanes: the words are brought into bit-reversed order. Then m times a column of butterflies joins words
2k and 2k + 1, and a permutation sends word 2k to place k and word 2k + 1 to place L/2 + k. After m of these permutations each word is where
it was before the first one. In column s the word in place p has the twiddle exp(-2 pi i t / 2^(s+1)), where t is the top s bits of p.
"""

import cmath
import math

BITS = 16  # of the real and of the imaginary part of a word
ONE = 1 << (BITS - 2)  # the twiddle 1


def twiddle(length, column, place):
    """The twiddle of a place in a column, exactly and as the hardware has it (a complex number; its parts times ONE are whole)."""
    top = place >> (length.bit_length() - 1 - column)
    exact = cmath.exp(-2j * math.pi * top / (2 << column))
    return exact, complex(round(exact.real * ONE), round(exact.imag * ONE)) / ONE


def packed(words):
    """Complex words with whole parts as one number, the first word in the lowest bits."""
    parts = (int(part) & (1 << BITS) - 1 for word in words for part in (word.real, word.imag))
    return sum(part << BITS * at for at, part in enumerate(parts))


def unpacked(number, count):
    """The words of `packed`."""
    parts = [number >> BITS * at & (1 << BITS) - 1 for at in range(2 * count)]
    parts = [part - (part >> BITS - 1 << BITS) for part in parts]
    return [complex(*pair) for pair in zip(parts[::2], parts[1::2])]


def module(name, text, lanes, links, body, last=("", "")):
    """A module with a stream in and a stream out, and the wires of the links between its parts. `last`: its ports for tlast."""
    high = 2 * BITS * lanes - 1
    link = "  wire valid_{0}, ready_{0}, last_{0};\n  wire [{1}:0] data_{0};\n"
    wires = "".join(link.format(at, high) for at in range(links + 1)) + "".join(f"  wire error_{at};\n" for at in range(links))
    return f"""// {text}
module {name} (
  input  wire clk_i,
  input  wire rst_i,
  input  wire s_axis_tvalid_i,
  output wire s_axis_tready_o,
  input  wire [{high}:0] s_axis_tdata_i,
{last[0]}  output wire m_axis_tvalid_o,
  input  wire m_axis_tready_i,
  output wire [{high}:0] m_axis_tdata_o,
{last[1]}  output wire error_o
);
{wires}  assign valid_0 = s_axis_tvalid_i;
  assign s_axis_tready_o = ready_0;
  assign data_0 = s_axis_tdata_i;
  assign m_axis_tvalid_o = valid_{links};
  assign ready_{links} = m_axis_tready_i;
  assign m_axis_tdata_o = data_{links};
{body}endmodule

"""


def part(name, at, last=("", "")):
    """An instance from link `at` to the next one. `last`: the wires of its tlast."""
    return f"""  {name} u_{at} (
    .clk_i(clk_i), .rst_i(rst_i), .error_o(error_{at}),
    .s_axis_tvalid_i(valid_{at}), .s_axis_tready_o(ready_{at}), .s_axis_tdata_i(data_{at}),{last[0]}
    .m_axis_tvalid_o(valid_{at + 1}), .m_axis_tready_i(ready_{at + 1}), .m_axis_tdata_o(data_{at + 1}){last[1]});
"""


def core(name, at, to=""):
    """A core of frit; `to`: the wire for the tlast that leaves it."""
    return part(name, at, (f" .s_axis_tlast_i(last_{at}),", f", .m_axis_tlast_o({to})"))


def counted(at, beats):
    """Counts the beats of a link: last[at] is high with the last of a data set."""
    return f"""  fft_count #(.BEATS({beats})) u_count_{at} (
    .clk_i(clk_i), .rst_i(rst_i), .step_i(valid_{at} & ready_{at}), .beat_o(), .last_o(last_{at}));
"""


def column(length, lanes, at, number):
    """A column of butterflies."""
    table = packed(twiddle(length, number, place)[1] * ONE for place in range(1, length, 2))
    values = f".LANES({lanes}), .BITS({BITS}), .BEATS({length // lanes}), .TWIDDLES({length * BITS}'h{table:x})"
    return part(f"fft_column #({values})", at, (f" .s_axis_tlast_i(last_{at}),", f", .m_axis_tlast_o(last_{at + 1})"))


def transform(length, lanes, reversal, stride):
    """The module fft_LENGTH. `reversal`, `stride`: the cores that bring words into bit-reversed order, and each word to half its place."""
    columns = length.bit_length() - 1
    links = 2 * columns + 1
    body = counted(0, length // lanes) + core(reversal, 0, "last_1")
    for number in range(columns):
        at = 2 * number + 1
        body += column(length, lanes, at, number) + core(stride, at + 1, f"last_{at + 2}")
    body += f"  assign error_o = {' | '.join(f'error_{at}' for at in range(links))};\n"
    text = f"FFT of {length} words, {lanes} a beat, divided by {length}; transforms follow without a gap."
    return module(f"fft_{length}", text, lanes, links, body)


def transform_2d(rows, columns, lanes, turn):
    """The module fft2d: rows, corner turn, columns. The spectrum leaves column by column."""
    beats = rows * columns // lanes
    body = f"""{counted(0, beats)}{part(f"fft_{columns}", 0)}{counted(1, beats)}{core(turn, 1, "last_2")}{part(f"fft_{rows}", 2)}{counted(3, beats)}\
  assign m_axis_tlast_o = last_3;
  // s_axis_tlast_i came early or late; stays until reset.
  reg wrong;
  assign error_o = wrong | error_0 | error_1 | error_2;
  always @(posedge clk_i) begin
    if (rst_i) wrong <= 1'b0;
    else if (valid_0 & ready_0 & (s_axis_tlast_i != last_0)) wrong <= 1'b1;
  end
"""
    text = f"FFT of {rows} x {columns} words, {lanes} a beat, divided by {rows * columns}; the spectrum leaves column by column."
    return module("fft2d", text, lanes, 3, body, ("  input  wire s_axis_tlast_i,\n", "  output wire m_axis_tlast_o,\n"))


def bounds(lengths, greatest):
    """How far a word of the result may be from the exact one, and how large a word may become, in units of the last place (absolute
    values). `greatest` is the largest word that enters.

    A column makes (a +- w b) / 2. Its twiddle w differs from the exact one by at most d, so the result differs by at most d |b| / 2; rounding
    moves each part by at most 1/2, so the word by at most sqrt(1/2). An error e of a and b becomes at most e (1 + |w|) / 2.
    """
    error, size = 0.0, greatest
    for length in lengths:
        for number in range(length.bit_length() - 1):
            pairs = [twiddle(length, number, place) for place in range(1, length, 2)]
            away = max(abs(exact - ours) for exact, ours in pairs)
            gain = (1 + max(abs(ours) for _, ours in pairs)) / 2
            error = error * gain + away * size / 2 + math.sqrt(0.5)
            size = size * gain + math.sqrt(0.5)
    return error, size


def dft(words):
    """The transform by its definition, divided by the number of words."""
    length = len(words)
    turns = [cmath.exp(-2j * math.pi * t / length) for t in range(length)]
    return [sum(word * turns[at * k % length] for at, word in enumerate(words)) / length for k in range(length)]


def dft_2d(matrix):
    """The spectrum of a matrix, column by column: row c of the result is column c of the spectrum."""
    return [dft(list(column)) for column in zip(*map(dft, matrix))]
