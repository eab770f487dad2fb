/* A complete engine for Dots and Boxes in C. Improve `choose`. Build: cc -O2 -o mybot engine.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 10, EDGES = 2 * MOST * (MOST + 1), LINE = 8192 };

static int rows = 5, cols = 5;         /* boxes */
static int drawn[EDGES], sides[MOST * MOST];
static int boxes[2], mover;            /* the score of each player, and who is to move */

static int edges(void) { return (rows + 1) * cols + rows * (cols + 1); }

/* Horizontal edges come first, row by row from the top, then the vertical ones. */
static void name_of(int edge, char *name) {
    int across = (rows + 1) * cols, x, y;
    if (edge < across) {
        x = 2 * (edge % cols) + 1, y = 2 * (edge / cols);
    } else {
        x = 2 * ((edge - across) % (cols + 1)), y = 2 * ((edge - across) / (cols + 1)) + 1;
    }
    sprintf(name, "%c%d", 'a' + x, 2 * rows + 1 - y);
}

static int edge_of(const char *name) {
    char other[16];
    for (int edge = 0; edge < edges(); edge++) {
        name_of(edge, other);
        if (!strcmp(name, other)) return edge;
    }
    return -1;
}

/* Store the boxes beside an edge, and return how many there are. */
static int beside(int edge, int *box) {
    int across = (rows + 1) * cols, count = 0, row, col;
    if (edge < across) {
        row = edge / cols, col = edge % cols;
        if (row > 0) box[count++] = (row - 1) * cols + col;
        if (row < rows) box[count++] = row * cols + col;
    } else {
        row = (edge - across) / (cols + 1), col = (edge - across) % (cols + 1);
        if (col > 0) box[count++] = row * cols + col - 1;
        if (col < cols) box[count++] = row * cols + col;
    }
    return count;
}

/* Draw an edge. A player who completes a box moves again; an opening belongs to nobody. */
static void draw(int edge, int is_opening) {
    int box[2], count, captured = 0;
    if (edge < 0 || edge >= edges() || drawn[edge]) return;
    drawn[edge] = 1, count = beside(edge, box);
    for (int i = 0; i < count; i++) captured += ++sides[box[i]] == 4;
    if (is_opening) return;
    boxes[mover] += captured;
    if (!captured) mover = 1 - mover;
}

static void clear(void) {
    memset(drawn, 0, sizeof drawn), memset(sides, 0, sizeof sides);
    boxes[0] = boxes[1] = mover = 0;
}

/* position startpos|fen 0,7,12/ [moves b1 c2 ...] */
static void position(char *line) {
    char *word = strtok(line, " "), *edge, *rest;
    int is_fen = 0, are_moves = 0;
    for (clear(); (word = strtok(NULL, " ")); ) {
        if (are_moves) draw(edge_of(word), 0);
        else if (!strcmp(word, "moves")) are_moves = 1;
        else if (is_fen) {
            for (edge = word; *edge && *edge != '/'; edge = *rest == ',' ? rest + 1 : rest)
                draw((int)strtol(edge, &rest, 10), 1);
        }
        is_fen = !strcmp(word, "fen");
    }
}

/* Take a box; else draw an edge that gives none away; else any. This is where your ideas go. */
static int choose(void) {
    int best = -1, best_value = -1, ties = 0, box[2];
    for (int edge = 0; edge < edges(); edge++) {
        int value = 1, count = beside(edge, box);
        if (drawn[edge]) continue;
        for (int i = 0; i < count; i++) {
            if (sides[box[i]] == 3) value = 2;
            else if (sides[box[i]] == 2 && value == 1) value = 0;
        }
        if (value > best_value) best_value = value, ties = 0;
        if (value == best_value && rand() % ++ties == 0) best = edge;
    }
    return best;
}

int main(void) {
    char line[LINE], name[16];
    srand((unsigned)time(NULL));
    setvbuf(stdout, NULL, _IOLBF, 0); /* each line at once, also into a pipe */
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strcmp(line, "ugi"))
            puts("id name Template in C\nid version 1\noption name UGI_Size type string default 5x5\nugiok");
        else if (!strcmp(line, "isready")) puts("readyok");
        else if (!strncmp(line, "setoption name UGI_Size value ", 30))
            sscanf(line + 30, "%dx%d", &rows, &cols), clear();
        else if (!strncmp(line, "position", 8)) position(line);
        else if (!strncmp(line, "go", 2)) name_of(choose(), name), printf("bestmove %s\n", name);
        else if (!strcmp(line, "query p1turn")) printf("response %s\n", mover ? "false" : "true");
        else if (!strcmp(line, "quit")) break;
    }
    return 0;
}
