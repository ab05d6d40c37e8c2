# Lint and simulation of rls_n4_w12_axis_l1_b1, for the Makefile of rls_n4_w12.
# Generated; do not edit. Generator: frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1
#
#   make axis_l1_b1        the testbench of rls_n4_w12_axis_l1_b1 under both simulators; make axis_l1_b1-verilator, make axis_l1_b1-icarus: only under this simulator
#   make axis        the testbenches of all tops of this kind

AXIS_L1_B1_RTL := $(shell grep -v "^//" rls_n4_w12_axis_l1_b1.f)
AXIS_L1_B1_VERILATOR := --top-module tb_rls_n4_w12_axis_l1_b1 -f rls_n4_w12_axis_l1_b1_tb.f
AXIS_L1_B1_IVERILOG := -s tb_rls_n4_w12_axis_l1_b1 -f rls_n4_w12_axis_l1_b1_tb.f

.PHONY: axis axis_l1_b1 axis_l1_b1-verilator axis_l1_b1-icarus axis_l1_b1-lint
axis: axis_l1_b1
axis_l1_b1: axis_l1_b1-verilator axis_l1_b1-icarus
lint: axis_l1_b1-lint

axis_l1_b1-lint: need-verilator need-iverilog
	$(VERILATOR_LINT) --top-module rls_n4_w12_axis_l1_b1 -f rls_n4_w12_axis_l1_b1.f
	$(VERILATOR_LINT) $(VERILATOR_BENCH) $(AXIS_L1_B1_VERILATOR)
	$(IVERILOG_LINT) -s rls_n4_w12_axis_l1_b1 -f rls_n4_w12_axis_l1_b1.f
	$(IVERILOG_BENCH) -t null $(AXIS_L1_B1_IVERILOG)

axis_l1_b1-verilator: build/axis_l1_b1-verilator/tb_rls_n4_w12_axis_l1_b1
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l1_b1-verilator.log,rls_n4_w12_axis_l1_b1)

axis_l1_b1-icarus: build/tb_rls_n4_w12_axis_l1_b1.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l1_b1-icarus.log,rls_n4_w12_axis_l1_b1)

build/axis_l1_b1-verilator/tb_rls_n4_w12_axis_l1_b1: $(AXIS_L1_B1_RTL) tb_rls_n4_w12_axis_l1_b1.sv | need-verilator-build
	@mkdir -p build
	$(VERILATOR_BUILD) $(VERILATOR_BENCH) $(VERILATOR_TRACE) --Mdir $(@D) -o $(@F) $(AXIS_L1_B1_VERILATOR)

build/tb_rls_n4_w12_axis_l1_b1.vvp: $(AXIS_L1_B1_RTL) tb_rls_n4_w12_axis_l1_b1.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG_BENCH) -o $@ $(AXIS_L1_B1_IVERILOG)

# make axis_l1_b1-tied, part of make axis_l1_b1, wires outputs to inputs (the macro TIED of the testbench).
.PHONY: axis_l1_b1-tied axis_l1_b1-verilator-tied axis_l1_b1-icarus-tied axis_l1_b1-lint-tied
axis_l1_b1: axis_l1_b1-tied
axis_l1_b1-tied: axis_l1_b1-verilator-tied axis_l1_b1-icarus-tied
axis_l1_b1-lint: axis_l1_b1-lint-tied

axis_l1_b1-lint-tied: need-verilator need-iverilog
	$(VERILATOR_LINT) $(VERILATOR_BENCH) -DTIED $(AXIS_L1_B1_VERILATOR)
	$(IVERILOG_BENCH) -t null -DTIED $(AXIS_L1_B1_IVERILOG)

axis_l1_b1-verilator-tied: build/axis_l1_b1-verilator-tied/tb_rls_n4_w12_axis_l1_b1
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l1_b1-verilator-tied.log,rls_n4_w12_axis_l1_b1)

axis_l1_b1-icarus-tied: build/tb_rls_n4_w12_axis_l1_b1_tied.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l1_b1-icarus-tied.log,rls_n4_w12_axis_l1_b1)

build/axis_l1_b1-verilator-tied/tb_rls_n4_w12_axis_l1_b1: $(AXIS_L1_B1_RTL) tb_rls_n4_w12_axis_l1_b1.sv | need-verilator-build
	@mkdir -p build
	$(VERILATOR_BUILD) $(VERILATOR_BENCH) $(VERILATOR_TRACE) --Mdir $(@D) -o $(@F) -DTIED $(AXIS_L1_B1_VERILATOR)

build/tb_rls_n4_w12_axis_l1_b1_tied.vvp: $(AXIS_L1_B1_RTL) tb_rls_n4_w12_axis_l1_b1.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG_BENCH) -o $@ -DTIED $(AXIS_L1_B1_IVERILOG)
