-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Components of transpose_8x8_p4_w8 for VHDL: the Verilog modules of the same names.
-- Generated; do not edit. Generator: frit generate transpose -n 4 --rows 8 -w 8 --layout files
library ieee;
use ieee.std_logic_1164.all;

package transpose_8x8_p4_w8_pkg is

  component transpose_8x8_p4_w8_permute is
    port (
      -- clock, rising edge
      clk_i : in std_logic;
      -- reset, synchronous, active high
      rst_i : in std_logic;
      -- input stream: tdata holds a beat
      s_axis_tvalid_i : in std_logic;
      -- the beat on tdata is taken; comes from a register
      s_axis_tready_o : out std_logic;
      -- the words of a beat, lane 0 in the lowest bits
      s_axis_tdata_i : in std_logic_vector(31 downto 0);
      -- the beat is the last of its data set
      s_axis_tlast_i : in std_logic;
      -- output stream: tdata holds a beat; comes from a register
      m_axis_tvalid_o : out std_logic;
      -- the beat on tdata is taken
      m_axis_tready_i : in std_logic;
      -- the words of a beat, lane 0 in the lowest bits; comes from the output registers of memories
      m_axis_tdata_o : out std_logic_vector(31 downto 0);
      -- the beat is the last of its data set; comes from a register
      m_axis_tlast_o : out std_logic;
      -- error: tlast of the input came early or late; stays until reset
      error_o : out std_logic
    );
  end component;
end package;
