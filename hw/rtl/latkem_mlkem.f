// ML-KEM and Kyber round 3
latkem_pkg.sv
mlkem/latkem_mlkem_pkg.sv
stream/latkem_ram.sv
stream/latkem_skid.sv
stream/latkem_front.sv
