# Lint and simulation of rls_n4_w12_axis_l1_b1_ports_axil_arstn, for the Makefile of rls_n4_w12.
# Generated; do not edit. Generator: frit generate rls -n 4 -w 12 --axis --length 1 --buffers 1 --port-style axis --axil --reset async
#
#   make axis_l1_b1_ports_axil_arstn        the testbench of rls_n4_w12_axis_l1_b1_ports_axil_arstn under both simulators; make axis_l1_b1_ports_axil_arstn-verilator, make axis_l1_b1_ports_axil_arstn-icarus: only under this simulator
#   make axis        the testbenches of all tops of this kind

AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL := $(shell grep -v "^//" rls_n4_w12_axis_l1_b1_ports_axil_arstn.f)
AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR := --timing -Wall --timescale 1ns/1ps --top-module tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn_tb.f
AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG := -g2012 -Wall -Wno-timescale -s tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn_tb.f

.PHONY: axis axis_l1_b1_ports_axil_arstn axis_l1_b1_ports_axil_arstn-verilator axis_l1_b1_ports_axil_arstn-icarus axis_l1_b1_ports_axil_arstn-lint
axis: axis_l1_b1_ports_axil_arstn
axis_l1_b1_ports_axil_arstn: axis_l1_b1_ports_axil_arstn-verilator axis_l1_b1_ports_axil_arstn-icarus
lint: axis_l1_b1_ports_axil_arstn-lint

axis_l1_b1_ports_axil_arstn-lint: need-verilator need-iverilog
	$(VERILATOR) --lint-only --quiet -Wall --top-module rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn.f
	$(VERILATOR) --lint-only --quiet $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)
	$(IVERILOG) -g2005 -Wall -t null -s rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn.f
	$(IVERILOG) -t null $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)

axis_l1_b1_ports_axil_arstn-verilator: build/axis_l1_b1_ports_axil_arstn-verilator/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-verilator.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

axis_l1_b1_ports_axil_arstn-icarus: build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-icarus.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

build/axis_l1_b1_ports_axil_arstn-verilator/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-verilator
	@mkdir -p build
	$(VERILATOR) $(VERILATOR_BUILD) --trace-$(WAVE) --Mdir $(@D) -o $(@F) $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)

build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.vvp: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG) -o $@ $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)

# make axis_l1_b1_ports_axil_arstn-tied, part of make axis_l1_b1_ports_axil_arstn, wires outputs to inputs (the macro TIED of the testbench).
.PHONY: axis_l1_b1_ports_axil_arstn-tied axis_l1_b1_ports_axil_arstn-verilator-tied axis_l1_b1_ports_axil_arstn-icarus-tied axis_l1_b1_ports_axil_arstn-lint-tied
axis_l1_b1_ports_axil_arstn: axis_l1_b1_ports_axil_arstn-tied
axis_l1_b1_ports_axil_arstn-tied: axis_l1_b1_ports_axil_arstn-verilator-tied axis_l1_b1_ports_axil_arstn-icarus-tied
axis_l1_b1_ports_axil_arstn-lint: axis_l1_b1_ports_axil_arstn-lint-tied

axis_l1_b1_ports_axil_arstn-lint-tied: need-verilator need-iverilog
	$(VERILATOR) --lint-only --quiet -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)
	$(IVERILOG) -t null -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)

axis_l1_b1_ports_axil_arstn-verilator-tied: build/axis_l1_b1_ports_axil_arstn-verilator-tied/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-verilator-tied.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

axis_l1_b1_ports_axil_arstn-icarus-tied: build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn_tied.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-icarus-tied.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

build/axis_l1_b1_ports_axil_arstn-verilator-tied/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-verilator
	@mkdir -p build
	$(VERILATOR) $(VERILATOR_BUILD) --trace-$(WAVE) --Mdir $(@D) -o $(@F) -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)

build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn_tied.vvp: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG) -o $@ -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)
