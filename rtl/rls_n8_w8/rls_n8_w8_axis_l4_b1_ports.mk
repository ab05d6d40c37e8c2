# Lint and simulation of rls_n8_w8_axis_l4_b1_ports, for the Makefile of rls_n8_w8.
# Generated; do not edit. Generator: frit generate rls -n 8 -w 8 --layout files --axis --length 4 --buffers 1 --port-style axis
#
#   make axis_l4_b1_ports        the testbench of rls_n8_w8_axis_l4_b1_ports under both simulators; make axis_l4_b1_ports-verilator, make axis_l4_b1_ports-icarus: only under this simulator
#   make axis        the testbenches of all tops of this kind

AXIS_L4_B1_PORTS_RTL := $(shell grep -v "^//" rls_n8_w8_axis_l4_b1_ports.f)
AXIS_L4_B1_PORTS_VERILATOR := --top-module tb_rls_n8_w8_axis_l4_b1_ports -f rls_n8_w8_axis_l4_b1_ports_tb.f
AXIS_L4_B1_PORTS_IVERILOG := -s tb_rls_n8_w8_axis_l4_b1_ports -f rls_n8_w8_axis_l4_b1_ports_tb.f

.PHONY: axis axis_l4_b1_ports axis_l4_b1_ports-verilator axis_l4_b1_ports-icarus axis_l4_b1_ports-lint
axis: axis_l4_b1_ports
axis_l4_b1_ports: axis_l4_b1_ports-verilator axis_l4_b1_ports-icarus
lint: axis_l4_b1_ports-lint

axis_l4_b1_ports-lint: need-verilator need-iverilog
	$(VERILATOR_LINT) --top-module rls_n8_w8_axis_l4_b1_ports -f rls_n8_w8_axis_l4_b1_ports.f
	$(VERILATOR_LINT) $(VERILATOR_BENCH) $(AXIS_L4_B1_PORTS_VERILATOR)
	$(IVERILOG_LINT) -s rls_n8_w8_axis_l4_b1_ports -f rls_n8_w8_axis_l4_b1_ports.f
	$(IVERILOG_BENCH) -t null $(AXIS_L4_B1_PORTS_IVERILOG)

axis_l4_b1_ports-verilator: build/axis_l4_b1_ports-verilator/tb_rls_n8_w8_axis_l4_b1_ports
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l4_b1_ports-verilator.log,rls_n8_w8_axis_l4_b1_ports)

axis_l4_b1_ports-icarus: build/tb_rls_n8_w8_axis_l4_b1_ports.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l4_b1_ports-icarus.log,rls_n8_w8_axis_l4_b1_ports)

build/axis_l4_b1_ports-verilator/tb_rls_n8_w8_axis_l4_b1_ports: $(AXIS_L4_B1_PORTS_RTL) tb_rls_n8_w8_axis_l4_b1_ports.sv | need-verilator-build
	@mkdir -p build
	$(VERILATOR_BUILD) $(VERILATOR_BENCH) $(VERILATOR_TRACE) --Mdir $(@D) -o $(@F) $(AXIS_L4_B1_PORTS_VERILATOR)

build/tb_rls_n8_w8_axis_l4_b1_ports.vvp: $(AXIS_L4_B1_PORTS_RTL) tb_rls_n8_w8_axis_l4_b1_ports.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG_BENCH) -o $@ $(AXIS_L4_B1_PORTS_IVERILOG)

# make axis_l4_b1_ports-tied, part of make axis_l4_b1_ports, wires outputs to inputs (the macro TIED of the testbench).
.PHONY: axis_l4_b1_ports-tied axis_l4_b1_ports-verilator-tied axis_l4_b1_ports-icarus-tied axis_l4_b1_ports-lint-tied
axis_l4_b1_ports: axis_l4_b1_ports-tied
axis_l4_b1_ports-tied: axis_l4_b1_ports-verilator-tied axis_l4_b1_ports-icarus-tied
axis_l4_b1_ports-lint: axis_l4_b1_ports-lint-tied

axis_l4_b1_ports-lint-tied: need-verilator need-iverilog
	$(VERILATOR_LINT) $(VERILATOR_BENCH) -DTIED $(AXIS_L4_B1_PORTS_VERILATOR)
	$(IVERILOG_BENCH) -t null -DTIED $(AXIS_L4_B1_PORTS_IVERILOG)

axis_l4_b1_ports-verilator-tied: build/axis_l4_b1_ports-verilator-tied/tb_rls_n8_w8_axis_l4_b1_ports
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l4_b1_ports-verilator-tied.log,rls_n8_w8_axis_l4_b1_ports)

axis_l4_b1_ports-icarus-tied: build/tb_rls_n8_w8_axis_l4_b1_ports_tied.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l4_b1_ports-icarus-tied.log,rls_n8_w8_axis_l4_b1_ports)

build/axis_l4_b1_ports-verilator-tied/tb_rls_n8_w8_axis_l4_b1_ports: $(AXIS_L4_B1_PORTS_RTL) tb_rls_n8_w8_axis_l4_b1_ports.sv | need-verilator-build
	@mkdir -p build
	$(VERILATOR_BUILD) $(VERILATOR_BENCH) $(VERILATOR_TRACE) --Mdir $(@D) -o $(@F) -DTIED $(AXIS_L4_B1_PORTS_VERILATOR)

build/tb_rls_n8_w8_axis_l4_b1_ports_tied.vvp: $(AXIS_L4_B1_PORTS_RTL) tb_rls_n8_w8_axis_l4_b1_ports.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG_BENCH) -o $@ -DTIED $(AXIS_L4_B1_PORTS_IVERILOG)
