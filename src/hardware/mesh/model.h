/* A mesh with the registers of its tiles, rtl/mesh.v, compiled into a program by Verilator. */

#ifndef UNO_MESH_MODEL_H
#define UNO_MESH_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uno_mesh_model;

/* The registers of a tile that are used here (rtl/mesh_tile.v). */
enum { UNO_TILE_HEADER = 0, UNO_TILE_WORD = 1, UNO_TILE_RECEIVE = 1, UNO_TILE_CONTROL = 2 };

/* Make the mesh with these sides, after its reset. NULL: it is not built. */
struct uno_mesh_model *uno_mesh_model_make(int columns, int rows);

/* Let tile k write a word to a register in the present clock; or read RECEIVE. */
void uno_mesh_model_write(struct uno_mesh_model *model, int k, unsigned address, uint32_t word);
void uno_mesh_model_read(struct uno_mesh_model *model, int k);

/* Compute the present clock. The functions below then tell if what tile k writes, or reads, takes effect in
 * it; and the word that it reads. */
void uno_mesh_model_settle(struct uno_mesh_model *model);
bool uno_mesh_model_written(struct uno_mesh_model *model, int k);
bool uno_mesh_model_has_read(struct uno_mesh_model *model, int k);
uint32_t uno_mesh_model_word(struct uno_mesh_model *model, int k);

/* Go on from the present clock, which has been computed, to the next one, in which no tile writes or reads
 * yet. */
void uno_mesh_model_clock(struct uno_mesh_model *model);

/* Return true if tile k is interrupted in the present clock. */
bool uno_mesh_model_interrupted(struct uno_mesh_model *model, int k);

#ifdef __cplusplus
}
#endif

#endif
