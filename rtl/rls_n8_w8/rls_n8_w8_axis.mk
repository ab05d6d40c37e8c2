# Lint and simulation of rls_n8_w8_axis, for the Makefile of rls_n8_w8.
# Generated; do not edit. Generator: frit generate rls -n 8 -w 8 --axis --length 4 --buffers 1
#
#   make axis        its testbench under both simulators; make axis-verilator, make axis-icarus: under one of them

AXIS_RTL := $(shell grep -v "^//" rls_n8_w8_axis.f)
AXIS_VERILATOR := --timing -Wall --timescale 1ns/1ps --top-module tb_rls_n8_w8_axis -f rls_n8_w8_axis_tb.f
AXIS_IVERILOG := -g2012 -Wall -Wno-timescale -s tb_rls_n8_w8_axis -f rls_n8_w8_axis_tb.f

.PHONY: axis axis-verilator axis-icarus axis-lint
axis: axis-verilator axis-icarus
lint: axis-lint

axis-lint: need-verilator need-iverilog
	$(VERILATOR) --lint-only --quiet -Wall --top-module rls_n8_w8_axis -f rls_n8_w8_axis.f
	$(VERILATOR) --lint-only --quiet $(AXIS_VERILATOR)
	$(IVERILOG) -g2005 -Wall -t null -s rls_n8_w8_axis -f rls_n8_w8_axis.f
	$(IVERILOG) -t null $(AXIS_IVERILOG)

axis-verilator: build/axis-verilator/tb_rls_n8_w8_axis
	$(call judge,./$< +verilator+quiet $(PLUSARGS),build/axis-verilator.log,rls_n8_w8_axis)

axis-icarus: build/tb_rls_n8_w8_axis.vvp | need-vvp
	$(call judge,$(VVP) -n $< $(PLUSARGS),build/axis-icarus.log,rls_n8_w8_axis)

build/axis-verilator/tb_rls_n8_w8_axis: $(AXIS_RTL) tb_rls_n8_w8_axis.sv | need-verilator
	@mkdir -p build
	$(VERILATOR) $(VERILATOR_BUILD) --trace-$(WAVE) --Mdir $(@D) -o $(@F) $(AXIS_VERILATOR)

build/tb_rls_n8_w8_axis.vvp: $(AXIS_RTL) tb_rls_n8_w8_axis.sv | need-iverilog
	@mkdir -p build
	$(IVERILOG) -o $@ $(AXIS_IVERILOG)
