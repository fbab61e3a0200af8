/* The PAPERS unit beside the network of a mesh: each tile has the registers of both, and its processor is at
 * one of them at a time. A PE's posts at the unit are a command to its tile. While the unit is not ready the
 * processor looks again and again, and words that come interrupt it as ever. When a whole message has come,
 * the PE takes it in, and what it answers goes out, before it looks at the unit again: a PE that waits for
 * others in an operation receives meanwhile, and stops for an interrupt. */

#ifndef UNO_MESH_BESIDE_H
#define UNO_MESH_BESIDE_H

#include "engine/pe.h"

/* Begin, when the PE has its tile, and make pe->rtl. Ends with an error if there is no memory. */
void uno_mesh_open_beside(struct uno_pe *pe);

#endif
