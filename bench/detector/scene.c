#include "scene.h"

#include <math.h>

/* The eye is at (0, 1, -4) and looks ahead; the floor is at height 0; light comes from the upper left. */
typedef struct {
    float x, y, z;
} vector;

static const struct ball {
    vector centre;
    float radius, shade;
} balls[] = {{{-1.1f, 1.0f, 1.2f}, 1.0f, 0.9f},
             {{1.0f, 0.7f, 0.2f}, 0.7f, 0.6f},
             {{0.1f, 0.35f, -1.1f}, 0.35f, 0.8f},
             {{2.4f, 1.3f, 3.5f}, 1.3f, 0.7f}};
enum { BALLS = sizeof balls / sizeof *balls };
static const vector eye = {0, 1, -4}, light = {-0.48f, 0.8f, -0.36f};

static float dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Return the distance along the ray from `from` at which a ball is first met; 0: it is not met. */
static float meets(const struct ball *ball, vector from, vector direction) {
    vector to = {ball->centre.x - from.x, ball->centre.y - from.y, ball->centre.z - from.z};
    float near = dot(to, direction), square = near * near - dot(to, to) + ball->radius * ball->radius;
    float distance = square > 0 ? near - sqrtf(square) : 0;
    return distance > 1e-3f ? distance : 0;
}

static int is_in_shadow(vector point) {
    for (int i = 0; i < BALLS; i++)
        if (meets(&balls[i], point, light) > 0)
            return 1;
    return 0;
}

static float floor_shade(vector point) {
    int chequer = ((int)floorf(point.x) + (int)floorf(point.z)) & 1;
    float shade = chequer ? 0.75f : 0.35f, fog = 1 / (1 + 0.004f * point.z * point.z);
    return (is_in_shadow(point) ? 0.4f : 1) * shade * fog + 0.7f * (1 - fog);
}

static float ball_shade(const struct ball *ball, vector point) {
    vector normal = {(point.x - ball->centre.x) / ball->radius, (point.y - ball->centre.y) / ball->radius,
                     (point.z - ball->centre.z) / ball->radius};
    float lit = dot(normal, light);
    float glint = lit > 0.97f ? (lit - 0.97f) * 15 : 0;
    return ball->shade * (0.25f + 0.7f * (lit > 0 && !is_in_shadow(point) ? lit : 0)) + glint;
}

static float shade(vector direction) {
    float nearest = direction.y < 0 ? -eye.y / direction.y : 0;
    const struct ball *ball = 0;
    for (int i = 0; i < BALLS; i++) {
        float distance = meets(&balls[i], eye, direction);
        if (distance > 0 && (distance < nearest || !(nearest > 0))) {
            nearest = distance;
            ball = &balls[i];
        }
    }
    vector point = {eye.x + nearest * direction.x, eye.y + nearest * direction.y,
                    eye.z + nearest * direction.z};
    return ball ? ball_shade(ball, point) : nearest > 0 ? floor_shade(point) : 0.7f + 0.3f * direction.y;
}

void scene_draw(uint8_t *pixels, size_t stride, int edge, int top, int left, int height, int width) {
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++) {
            vector to = {((float)x + 0.5f) / (float)edge - 0.5f, 0.45f - ((float)y + 0.5f) / (float)edge,
                         0.8f};
            float length = sqrtf(dot(to, to));
            float grey = 255 * shade((vector){to.x / length, to.y / length, to.z / length});
            pixels[(size_t)(y - top) * stride + (size_t)(x - left)] = (uint8_t)(grey < 0     ? 0
                                                                                : grey > 255 ? 255
                                                                                             : grey);
        }
}
