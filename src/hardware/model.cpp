// The models that Verilator has made: a class for each, of which this file knows no more than the ports of
// rtl/papers_bus.v.

#include "model.h"

#include <cstring>

#include "bits.h"
#include "models.h" // X(unit, PEs, class, bits of a bus) for each, and their headers

struct uno_model {
    virtual ~uno_model() = default;
    virtual void write(int k, unsigned address, uint32_t word) = 0;
    virtual void read(int k, unsigned address) = 0;
    virtual void settle() = 0;
    virtual uint32_t word(int k) = 0;
    virtual void clock() = 0;
};

namespace {

template <class Unit, int BUS> struct model : uno_model {
    VerilatedContext context;
    Unit unit{&context, ""};

    model() {
        unit.write = 0;
        unit.reset = 1;
        clock();
        unit.reset = 0;
    }
    void write(int k, unsigned address, uint32_t word) override {
        put(unit.write, k, 1, 1);
        put(unit.write_address, k * 3, 3, address);
        put(unit.write_data, k * BUS, BUS, word);
    }
    void read(int k, unsigned address) override {
        put(unit.read_address, k * 3, 3, address);
    }
    void settle() override {
        unit.clock = 0;
        unit.eval();
    }
    uint32_t word(int k) override {
        return get(unit.read_data, k * BUS, BUS);
    }
    void clock() override {
        settle();
        unit.clock = 1;
        unit.eval();
        unit.write = 0;
    }
};

} // namespace

uno_model *uno_model_make(const char *unit, int n) {
#define X(name, pes, type, bus)                                                                              \
    if (std::strcmp(unit, #name) == 0 && n <= pes)                                                           \
        return new model<type, bus>;
    UNO_MODELS(X)
#undef X
    return nullptr;
}

void uno_model_write(uno_model *model, int k, unsigned address, uint32_t word) {
    model->write(k, address, word);
}
void uno_model_read(uno_model *model, int k, unsigned address) {
    model->read(k, address);
}
void uno_model_settle(uno_model *model) {
    model->settle();
}
uint32_t uno_model_word(uno_model *model, int k) {
    return model->word(k);
}
void uno_model_clock(uno_model *model) {
    model->clock();
}
