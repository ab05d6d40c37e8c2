/* The registers of rls_n4_w12_axis_l1_b1_ports_axil_arstn, for C.
 * Generated; do not edit. Generator: frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1 --port-style axis --axil --reset async
 *
 * FRIT_* is the same for every design, RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_* what this one reads. Addresses are in bytes.
 */
#ifndef RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_H
#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_H

#ifndef FRIT_REGISTERS_VERSION
#define FRIT_REGISTERS_VERSION "1.0"

/* ID: identifies the register block */
#define FRIT_ID 0x00u

/* VERSION: version of this map */
#define FRIT_VERSION 0x04u
#define FRIT_VERSION_MINOR_SHIFT 0u  /* read, a constant: grows with additions to the map */
#define FRIT_VERSION_MINOR_MASK 0x0000ffffu
#define FRIT_VERSION_MAJOR_SHIFT 16u  /* read, a constant: grows with incompatible changes of the map */
#define FRIT_VERSION_MAJOR_MASK 0xffff0000u

/* SYSTEM: identifies the design */
#define FRIT_SYSTEM 0x08u

/* TERMINALS: number of input streams, and of output streams */
#define FRIT_TERMINALS 0x0cu

/* WIDTH: contents of a word */
#define FRIT_WIDTH 0x10u
#define FRIT_WIDTH_DATA_SHIFT 0u  /* read, a constant: bits of the data in a word */
#define FRIT_WIDTH_DATA_MASK 0x0000ffffu
#define FRIT_WIDTH_USER_SHIFT 16u  /* read, a constant: bits of tuser */
#define FRIT_WIDTH_USER_MASK 0x7fff0000u
#define FRIT_WIDTH_KEEP_SHIFT 31u  /* read, a constant: the streams have tkeep */
#define FRIT_WIDTH_KEEP_MASK 0x80000000u

/* MESSAGE: message length and buffers */
#define FRIT_MESSAGE 0x14u
#define FRIT_MESSAGE_LENGTH_SHIFT 0u  /* read, a constant: words of a message */
#define FRIT_MESSAGE_LENGTH_MASK 0x0000ffffu
#define FRIT_MESSAGE_BUFFERS_SHIFT 16u  /* read, a constant: sets of messages that the memories can hold */
#define FRIT_MESSAGE_BUFFERS_MASK 0xffff0000u

/* RUN_CYCLES: cycles of an exchange, computed from the plan */
#define FRIT_RUN_CYCLES 0x18u

/* CONTROL: starts exchanges */
#define FRIT_CONTROL 0x20u
#define FRIT_CONTROL_START_SHIFT 0u  /* write 1; reads 0: starts an exchange; if a message is missing, sets MISSING instead */
#define FRIT_CONTROL_START_MASK 0x00000001u
#define FRIT_CONTROL_AUTO_SHIFT 1u  /* read and write: starts an exchange whenever READY is 1 */
#define FRIT_CONTROL_AUTO_MASK 0x00000002u

/* STATUS: state of the design */
#define FRIT_STATUS 0x24u
#define FRIT_STATUS_READY_SHIFT 0u  /* read: an exchange can begin */
#define FRIT_STATUS_READY_MASK 0x00000001u
#define FRIT_STATUS_BUSY_SHIFT 1u  /* read: an exchange runs */
#define FRIT_STATUS_BUSY_MASK 0x00000002u

/* ERRORS: errors */
#define FRIT_ERRORS 0x28u
#define FRIT_ERRORS_MISSING_SHIFT 0u  /* read; write 1 to clear: a start while a message was missing */
#define FRIT_ERRORS_MISSING_MASK 0x00000001u
#define FRIT_ERRORS_DOUBLE_SHIFT 1u  /* read; write 1 to clear: a duplicate message for a destination was dropped */
#define FRIT_ERRORS_DOUBLE_MASK 0x00000002u
#define FRIT_ERRORS_UNKNOWN_SHIFT 2u  /* read; write 1 to clear: a message for a terminal that does not exist was dropped */
#define FRIT_ERRORS_UNKNOWN_MASK 0x00000004u
#define FRIT_ERRORS_LENGTH_SHIFT 3u  /* read; write 1 to clear: tlast was in the wrong place */
#define FRIT_ERRORS_LENGTH_MASK 0x00000008u
#define FRIT_ERRORS_CONFLICT_SHIFT 4u  /* read; write 1 to clear: two messages wanted one output of a switch */
#define FRIT_ERRORS_CONFLICT_MASK 0x00000010u

/* IRQ_STATUS: interrupt sources */
#define FRIT_IRQ_STATUS 0x2cu
#define FRIT_IRQ_STATUS_DONE_SHIFT 0u  /* read; write 1 to clear: an exchange has ended */
#define FRIT_IRQ_STATUS_DONE_MASK 0x00000001u
#define FRIT_IRQ_STATUS_ERROR_SHIFT 1u  /* read: a bit of ERRORS is 1 */
#define FRIT_IRQ_STATUS_ERROR_MASK 0x00000002u

/* IRQ_ENABLE: interrupt enables */
#define FRIT_IRQ_ENABLE 0x30u
#define FRIT_IRQ_ENABLE_DONE_SHIFT 0u  /* read and write: irq is high while DONE of IRQ_STATUS is 1 */
#define FRIT_IRQ_ENABLE_DONE_MASK 0x00000001u
#define FRIT_IRQ_ENABLE_ERROR_SHIFT 1u  /* read and write: irq is high while ERROR of IRQ_STATUS is 1 */
#define FRIT_IRQ_ENABLE_ERROR_MASK 0x00000002u

/* CYCLES: duration of the last exchange */
#define FRIT_CYCLES 0x34u

/* EXCHANGES: number of exchanges */
#define FRIT_EXCHANGES 0x38u

#endif /* FRIT_REGISTERS_VERSION */

#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_ID 0x46524954u
#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_VERSION 0x00010000u
#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_SYSTEM 0xf5b46ffau
#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_TERMINALS 0x00000004u
#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_WIDTH 0x0000000cu
#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_MESSAGE 0x00010001u
#define RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_RUN_CYCLES 0x00000007u

#endif /* RLS_N4_W12_AXIS_L1_B1_PORTS_AXIL_ARSTN_H */
