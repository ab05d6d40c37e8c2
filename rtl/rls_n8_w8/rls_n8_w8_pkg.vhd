-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Components of rls_n8_w8 for VHDL: the Verilog modules of the same names.
-- Generated; do not edit. Generator: frit generate rls -n 8 -w 8 --layout files --axis --length 4 --buffers 1 --port-style axis
library ieee;
use ieee.std_logic_1164.all;

package rls_n8_w8_pkg is

  component rls_n8_w8_exchange is
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
      send_valid_o : out std_logic_vector(7 downto 0);
      -- destination of the word
      send_dest_o : out std_logic_vector(23 downto 0);
      -- word for send_dest_o, taken in the same cycle
      send_data_i : in std_logic_vector(8 * W - 1 downto 0);
      -- recv_data_o holds a word
      recv_valid_o : out std_logic_vector(7 downto 0);
      -- source of the word that arrives
      recv_source_o : out std_logic_vector(23 downto 0);
      -- word that arrives
      recv_data_o : out std_logic_vector(8 * W - 1 downto 0);
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

  component rls_n8_w8_axis_l4_b1 is
    generic (
      W : positive := 8 -- bits of a word
    );
    port (
      -- clock, rising edge
      clk_i : in std_logic;
      -- reset, synchronous, active high
      rst_i : in std_logic;
      -- starts an exchange if ready_o is high: at once, or when the last words of the running exchange have entered
      start_i : in std_logic;
      -- cycles of the last exchange, valid from done_o on
      cycles_o : out std_logic_vector(31 downto 0);
      -- a start is taken: all messages are loaded, the outputs have room, and no other start is pending
      ready_o : out std_logic;
      -- an exchange runs
      busy_o : out std_logic;
      -- high for one cycle after the end of an exchange
      done_o : out std_logic;
      -- error: start while a message was missing
      missing_o : out std_logic;
      -- error: a duplicate message for a destination was dropped
      double_o : out std_logic;
      -- error: a message for a terminal that does not exist was dropped
      unknown_o : out std_logic;
      -- error: tlast in the wrong place
      length_o : out std_logic;
      -- error: two messages wanted one output of a switch
      conflict_o : out std_logic;
      -- input stream of each terminal: s_axis_tdata_i holds a word
      s_axis_tvalid_i : in std_logic_vector(7 downto 0);
      -- the word on s_axis_tdata_i is taken
      s_axis_tready_o : out std_logic_vector(7 downto 0);
      -- word
      s_axis_tdata_i : in std_logic_vector(8 * W - 1 downto 0);
      -- destination of the word's message
      s_axis_tdest_i : in std_logic_vector(23 downto 0);
      -- the word is the last of its message
      s_axis_tlast_i : in std_logic_vector(7 downto 0);
      -- output stream of each terminal: m_axis_tdata_o holds a word
      m_axis_tvalid_o : out std_logic_vector(7 downto 0);
      -- the word on m_axis_tdata_o is taken
      m_axis_tready_i : in std_logic_vector(7 downto 0);
      -- word
      m_axis_tdata_o : out std_logic_vector(8 * W - 1 downto 0);
      -- source of the word's message
      m_axis_tid_o : out std_logic_vector(23 downto 0);
      -- the word is the last of its message
      m_axis_tlast_o : out std_logic_vector(7 downto 0)
    );
  end component;

  component rls_n8_w8_axis_l4_b1_ports is
    port (
      -- clock, rising edge
      aclk : in std_logic;
      -- reset, synchronous, active low
      aresetn : in std_logic;
      -- starts an exchange if ready is high
      start : in std_logic;
      -- an exchange can start: all messages are loaded and the outputs have room
      ready : out std_logic;
      -- an exchange runs
      busy : out std_logic;
      -- high for one cycle after the end of an exchange
      done : out std_logic;
      -- cycles of the last exchange, valid from done on
      cycles : out std_logic_vector(31 downto 0);
      -- error: start while a message was missing
      error_missing : out std_logic;
      -- error: a duplicate message for a destination was dropped
      error_double : out std_logic;
      -- error: a message for a terminal that does not exist was dropped
      error_unknown : out std_logic;
      -- error: tlast in the wrong place
      error_length : out std_logic;
      -- error: two messages wanted one output of a switch
      error_conflict : out std_logic;
      -- word
      s00_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s00_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s00_axis_tlast : in std_logic;
      -- tdata holds a word
      s00_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s00_axis_tready : out std_logic;
      -- word
      s01_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s01_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s01_axis_tlast : in std_logic;
      -- tdata holds a word
      s01_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s01_axis_tready : out std_logic;
      -- word
      s02_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s02_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s02_axis_tlast : in std_logic;
      -- tdata holds a word
      s02_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s02_axis_tready : out std_logic;
      -- word
      s03_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s03_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s03_axis_tlast : in std_logic;
      -- tdata holds a word
      s03_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s03_axis_tready : out std_logic;
      -- word
      s04_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s04_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s04_axis_tlast : in std_logic;
      -- tdata holds a word
      s04_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s04_axis_tready : out std_logic;
      -- word
      s05_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s05_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s05_axis_tlast : in std_logic;
      -- tdata holds a word
      s05_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s05_axis_tready : out std_logic;
      -- word
      s06_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s06_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s06_axis_tlast : in std_logic;
      -- tdata holds a word
      s06_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s06_axis_tready : out std_logic;
      -- word
      s07_axis_tdata : in std_logic_vector(7 downto 0);
      -- destination of the word's message
      s07_axis_tdest : in std_logic_vector(2 downto 0);
      -- the word is the last of its message
      s07_axis_tlast : in std_logic;
      -- tdata holds a word
      s07_axis_tvalid : in std_logic;
      -- the word on tdata is taken
      s07_axis_tready : out std_logic;
      -- word
      m00_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m00_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m00_axis_tlast : out std_logic;
      -- tdata holds a word
      m00_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m00_axis_tready : in std_logic;
      -- word
      m01_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m01_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m01_axis_tlast : out std_logic;
      -- tdata holds a word
      m01_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m01_axis_tready : in std_logic;
      -- word
      m02_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m02_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m02_axis_tlast : out std_logic;
      -- tdata holds a word
      m02_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m02_axis_tready : in std_logic;
      -- word
      m03_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m03_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m03_axis_tlast : out std_logic;
      -- tdata holds a word
      m03_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m03_axis_tready : in std_logic;
      -- word
      m04_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m04_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m04_axis_tlast : out std_logic;
      -- tdata holds a word
      m04_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m04_axis_tready : in std_logic;
      -- word
      m05_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m05_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m05_axis_tlast : out std_logic;
      -- tdata holds a word
      m05_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m05_axis_tready : in std_logic;
      -- word
      m06_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m06_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m06_axis_tlast : out std_logic;
      -- tdata holds a word
      m06_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m06_axis_tready : in std_logic;
      -- word
      m07_axis_tdata : out std_logic_vector(7 downto 0);
      -- source of the word's message
      m07_axis_tid : out std_logic_vector(2 downto 0);
      -- the word is the last of its message
      m07_axis_tlast : out std_logic;
      -- tdata holds a word
      m07_axis_tvalid : out std_logic;
      -- the word on tdata is taken
      m07_axis_tready : in std_logic
    );
  end component;
end package;
