-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Components of gsen_n6_w8 for VHDL: the Verilog modules of the same names.
-- Generated; do not edit. Generator: frit generate gsen -n 6 -w 8 --layout files
library ieee;
use ieee.std_logic_1164.all;

package gsen_n6_w8_pkg is

  component gsen_n6_w8_exchange is
    generic (
      W : positive := 8 -- bits of a word
    );
    port (
      -- clock, rising edge
      clk_i : in std_logic;
      -- reset, synchronous, active high
      rst_i : in std_logic;
      -- starts an exchange if ready_o is high; the next cycle is cycle 0
      start_i : in std_logic;
      -- a start can be taken: the last round of the exchange before has entered
      ready_o : out std_logic;
      -- the lane takes a word in this cycle
      send_valid_o : out std_logic_vector(5 downto 0);
      -- destination of the word
      send_dest_o : out std_logic_vector(17 downto 0);
      -- word for send_dest_o, taken in the same cycle
      send_data_i : in std_logic_vector(6 * W - 1 downto 0);
      -- recv_data_o holds a word
      recv_valid_o : out std_logic_vector(5 downto 0);
      -- source of the word that arrives
      recv_source_o : out std_logic_vector(17 downto 0);
      -- word that arrives
      recv_data_o : out std_logic_vector(6 * W - 1 downto 0);
      -- high in every cycle of an exchange
      busy_o : out std_logic;
      -- high in the last cycle of each exchange, the cycle of its last delivery
      done_o : out std_logic;
      -- two messages of the round that arrives wanted the same output of a switch
      conflict_o : out std_logic;
      -- cycle of the youngest exchange, 0 while busy_o is low
      cycles_o : out std_logic_vector(31 downto 0)
    );
  end component;
end package;
