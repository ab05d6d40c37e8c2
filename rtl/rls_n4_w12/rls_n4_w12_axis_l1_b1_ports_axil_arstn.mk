# Lint and simulation of rls_n4_w12_axis_l1_b1_ports_axil_arstn, for the Makefile of rls_n4_w12.
# Generated; do not edit. Generator: frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1 --port-style axis --axil --reset async
#
#   make axis_l1_b1_ports_axil_arstn        the testbench of rls_n4_w12_axis_l1_b1_ports_axil_arstn under both simulators; make axis_l1_b1_ports_axil_arstn-verilator, make axis_l1_b1_ports_axil_arstn-icarus: only under this simulator
#   make axis        the testbenches of all tops of this kind

AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL := $(shell grep -v "^//" rls_n4_w12_axis_l1_b1_ports_axil_arstn.f)
AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR := --top-module tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn_tb.f
AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG := -s tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn_tb.f

.PHONY: axis axis_l1_b1_ports_axil_arstn axis_l1_b1_ports_axil_arstn-verilator axis_l1_b1_ports_axil_arstn-icarus axis_l1_b1_ports_axil_arstn-lint
axis: axis_l1_b1_ports_axil_arstn
axis_l1_b1_ports_axil_arstn: axis_l1_b1_ports_axil_arstn-verilator axis_l1_b1_ports_axil_arstn-icarus
lint: axis_l1_b1_ports_axil_arstn-lint

axis_l1_b1_ports_axil_arstn-lint: need-verilator need-iverilog
	$(VERILATOR_LINT) --top-module rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn.f
	$(VERILATOR_LINT) $(VERILATOR_BENCH) $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)
	$(IVERILOG_LINT) -s rls_n4_w12_axis_l1_b1_ports_axil_arstn -f rls_n4_w12_axis_l1_b1_ports_axil_arstn.f
	$(IVERILOG_BENCH) -t null $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)

axis_l1_b1_ports_axil_arstn-verilator: build/axis_l1_b1_ports_axil_arstn-verilator/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-verilator.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

axis_l1_b1_ports_axil_arstn-icarus: build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-icarus.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

build/axis_l1_b1_ports_axil_arstn-verilator/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-verilator-build
	@mkdir -p build
	$(VERILATOR_BUILD) $(VERILATOR_BENCH) $(VERILATOR_TRACE) --Mdir $(@D) -o $(@F) $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)

build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.vvp: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG_BENCH) -o $@ $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)

# make axis_l1_b1_ports_axil_arstn-tied, part of make axis_l1_b1_ports_axil_arstn, wires outputs to inputs (the macro TIED of the testbench).
.PHONY: axis_l1_b1_ports_axil_arstn-tied axis_l1_b1_ports_axil_arstn-verilator-tied axis_l1_b1_ports_axil_arstn-icarus-tied axis_l1_b1_ports_axil_arstn-lint-tied
axis_l1_b1_ports_axil_arstn: axis_l1_b1_ports_axil_arstn-tied
axis_l1_b1_ports_axil_arstn-tied: axis_l1_b1_ports_axil_arstn-verilator-tied axis_l1_b1_ports_axil_arstn-icarus-tied
axis_l1_b1_ports_axil_arstn-lint: axis_l1_b1_ports_axil_arstn-lint-tied

axis_l1_b1_ports_axil_arstn-lint-tied: need-verilator need-iverilog
	$(VERILATOR_LINT) $(VERILATOR_BENCH) -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)
	$(IVERILOG_BENCH) -t null -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)

axis_l1_b1_ports_axil_arstn-verilator-tied: build/axis_l1_b1_ports_axil_arstn-verilator-tied/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-verilator-tied.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

axis_l1_b1_ports_axil_arstn-icarus-tied: build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn_tied.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis_l1_b1_ports_axil_arstn-icarus-tied.log,rls_n4_w12_axis_l1_b1_ports_axil_arstn)

build/axis_l1_b1_ports_axil_arstn-verilator-tied/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-verilator-build
	@mkdir -p build
	$(VERILATOR_BUILD) $(VERILATOR_BENCH) $(VERILATOR_TRACE) --Mdir $(@D) -o $(@F) -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_VERILATOR)

build/tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn_tied.vvp: $(AXIS_L1_B1_PORTS_AXIL_ARSTN_RTL) tb_rls_n4_w12_axis_l1_b1_ports_axil_arstn.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG_BENCH) -o $@ -DTIED $(AXIS_L1_B1_PORTS_AXIL_ARSTN_IVERILOG)
