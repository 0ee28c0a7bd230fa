// Registers for the streams of any core
rules/latkem_holds.sv
rules/latkem_at_most_one.sv
soc/latkem_fifo.sv
soc/latkem_axil.sv
