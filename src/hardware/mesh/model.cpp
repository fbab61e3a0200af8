// The meshes that Verilator has made: a class for each, of which this file knows no more than the ports of
// rtl/mesh.v.

#include "model.h"

#include <cstring>

#include "hardware/bits.h"
#include "meshes.h" // X(columns, rows, class) for each, and their headers

struct uno_mesh_model {
    virtual ~uno_mesh_model() = default;
    virtual void write(int k, unsigned address, uint32_t word) = 0;
    virtual void read(int k) = 0;
    virtual void settle() = 0;
    virtual bool written(int k) = 0;
    virtual bool has_read(int k) = 0;
    virtual uint32_t word(int k) = 0;
    virtual void clock() = 0;
    virtual bool interrupted(int k) = 0;
};

namespace {

enum { ADDRESS = 3, WIDTH = 32 }; // bits

template <class Mesh> struct model : uno_mesh_model {
    VerilatedContext context;
    Mesh mesh{&context, ""};

    model() {
        mesh.write = 0;
        mesh.read = 0;
        mesh.reset = 1;
        settle();
        clock();
        mesh.reset = 0;
    }
    void write(int k, unsigned address, uint32_t word) override {
        put(mesh.write, k, 1, 1);
        put(mesh.write_address, k * ADDRESS, ADDRESS, address);
        std::memcpy(reinterpret_cast<char *>(&mesh.write_data) + k * (WIDTH / 8), &word, sizeof word);
    }
    void read(int k) override {
        put(mesh.read, k, 1, 1);
        put(mesh.read_address, k * ADDRESS, ADDRESS, UNO_TILE_RECEIVE);
    }
    void settle() override {
        mesh.clock = 0;
        mesh.eval();
    }
    bool written(int k) override {
        return get(mesh.write_ready, k, 1);
    }
    bool has_read(int k) override {
        return get(mesh.read_ready, k, 1);
    }
    uint32_t word(int k) override {
        uint32_t word;
        std::memcpy(&word, reinterpret_cast<char *>(&mesh.read_data) + k * (WIDTH / 8), sizeof word);
        return word;
    }
    void clock() override {
        mesh.clock = 1;
        mesh.eval();
        mesh.write = 0;
        mesh.read = 0;
    }
    bool interrupted(int k) override {
        return get(mesh.interrupts, k, 1);
    }
};

} // namespace

uno_mesh_model *uno_mesh_model_make(int columns, int rows) {
#define X(x, y, type)                                                                                        \
    if (columns == x && rows == y)                                                                           \
        return new model<type>;
    UNO_MESH_MODELS(X)
#undef X
    return nullptr;
}

void uno_mesh_model_write(uno_mesh_model *model, int k, unsigned address, uint32_t word) {
    model->write(k, address, word);
}
void uno_mesh_model_read(uno_mesh_model *model, int k) {
    model->read(k);
}
void uno_mesh_model_settle(uno_mesh_model *model) {
    model->settle();
}
bool uno_mesh_model_written(uno_mesh_model *model, int k) {
    return model->written(k);
}
bool uno_mesh_model_has_read(uno_mesh_model *model, int k) {
    return model->has_read(k);
}
uint32_t uno_mesh_model_word(uno_mesh_model *model, int k) {
    return model->word(k);
}
void uno_mesh_model_clock(uno_mesh_model *model) {
    model->clock();
}
bool uno_mesh_model_interrupted(uno_mesh_model *model, int k) {
    return model->interrupted(k);
}
