#include "places.h"

#include "engine/far/far.h"
#include "queue.h"

enum {
    LEAST =
        16 * 1024, /* bytes that are to come, of which it pays to tell: as a copy takes as long as a line */
};

void uno_far_place_tell(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k];
    struct uno_far_link *far = link->far;
    struct uno_far_place place = {.bytes = uno_lesser(link->room, link->total)};
    struct uno_net_key key;
    if (!far || !far->started || place.bytes < link->got + LEAST ||
        !uno_far_expose(channel->pe, link->to, place.bytes, &key, &far->exposed))
        return;
    place.key = key.key;
    place.at = key.at;
    if (!link->known)
        uno_channel_become_known(channel, k);
    struct uno_put line = {
        .word = far->started, .kind = UNO_KIND_PLACE, .bytes = sizeof place, .data = &place};
    uno_channel_put_line(channel, k, &line);
}

void uno_far_place_end(struct uno_channel *channel, int k) {
    struct uno_far_link *far = channel->link[k].far;
    if (far->exposed)
        uno_far_hide(channel->pe, far->exposed);
    far->exposed = NULL;
    far->started = 0;
}
