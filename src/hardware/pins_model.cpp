// The model of papers_pins that Verilator has made.

#include "pins_model.h"

#include "pins_for_4.h"

struct uno_pins_model {
    VerilatedContext context;
    pins_for_4 pins{&context, ""};
};

uno_pins_model *uno_pins_model_make() {
    return new uno_pins_model;
}

void uno_pins_model_drive(uno_pins_model *model, int k, unsigned lines) {
    model->pins.from_pe = (model->pins.from_pe & ~(0xffu << 8 * k)) | lines << 8 * k;
}

void uno_pins_model_clock(uno_pins_model *model) {
    model->pins.clock = 0;
    model->pins.eval();
    model->pins.clock = 1;
    model->pins.eval();
}

unsigned uno_pins_model_levels(const uno_pins_model *model, int k) {
    return model->pins.to_pe >> 5 * k & 0x1f;
}
