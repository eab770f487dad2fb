// A complete engine for Dots and Boxes in C++. Improve `choose`. Build: c++ -std=c++17 -O2 -o mybot engine.cpp
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/// A position: the edges that are drawn, the score, and who is to move.
struct Board {
    int rows, cols, mover = 0;
    int boxes[2] = {0, 0};
    std::vector<std::string> names;
    std::map<std::string, int> numbers;
    std::vector<std::vector<int>> beside;
    std::vector<bool> drawn;
    std::vector<int> sides;

    Board(int rows, int cols) : rows(rows), cols(cols), sides(rows * cols) {
        // Horizontal edges come first, row by row from the top, then the vertical ones.
        for (int r = 0; r <= rows; r++)
            for (int c = 0; c < cols; c++) add(2 * c + 1, 2 * r);
        for (int r = 0; r < rows; r++)
            for (int c = 0; c <= cols; c++) add(2 * c, 2 * r + 1);
        drawn.resize(names.size());
    }

    /// Add an edge and the boxes beside it; odd places in both directions are boxes.
    void add(int x, int y) {
        names.push_back(std::string(1, char('a' + x)) + std::to_string(2 * rows + 1 - y));
        numbers[names.back()] = int(names.size()) - 1;
        std::vector<int> found;
        for (int step : {-1, 1}) {
            int a = x % 2 ? x : x + step, b = x % 2 ? y + step : y;
            if (a > 0 && a < 2 * cols + 1 && b > 0 && b < 2 * rows + 1) found.push_back(b / 2 * cols + a / 2);
        }
        beside.push_back(found);
    }

    /// Draw an edge. Who completes a box moves again; an opening belongs to nobody.
    void draw(int edge, bool is_opening) {
        int captured = 0;
        drawn[edge] = true;
        for (int box : beside[edge]) captured += ++sides[box] == 4;
        if (is_opening) return;
        boxes[mover] += captured;
        if (!captured) mover = 1 - mover;
    }
};

/// Read what follows the word "position": startpos, or fen and an opening, and perhaps moves.
Board read(const Board &old, std::istringstream &words) {
    Board board(old.rows, old.cols);
    std::string word, edge;
    words >> word;
    if (word == "fen") {
        words >> word;
        std::istringstream opening(word.substr(0, word.find('/')));
        while (std::getline(opening, edge, ',')) board.draw(std::stoi(edge), true);
    }
    words >> word;
    while (words >> word) board.draw(board.numbers.at(word), false);
    return board;
}

/// Take a box; else draw an edge that gives none away; else any. Your ideas go here.
int choose(const Board &board, std::mt19937 &random) {
    int best_value = -1;
    std::vector<int> best;
    for (int edge = 0; edge < int(board.names.size()); edge++) {
        if (board.drawn[edge]) continue;
        int value = 1;
        for (int box : board.beside[edge]) {
            if (board.sides[box] == 3) value = 2;
            else if (board.sides[box] == 2 && value == 1) value = 0;
        }
        if (value > best_value) best_value = value, best.clear();
        if (value == best_value) best.push_back(edge);
    }
    return best[random() % best.size()];
}

int main() {
    std::mt19937 random(std::random_device{}());
    Board board(5, 5);
    std::string line, word;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "ugi") {
            std::cout << "id name Template in C++\nid version 1\n"
                         "option name UGI_Size type string default 5x5\nugiok" << std::endl;
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;  // endl also flushes
        } else if (word == "setoption") {
            int rows = 5, cols = 5;
            char x;
            words >> word >> word >> word >> rows >> x >> cols;
            board = Board(rows, cols);
        } else if (word == "position") {
            board = read(board, words);
        } else if (word == "go") {
            std::cout << "bestmove " << board.names[choose(board, random)] << std::endl;
        } else if (line == "query p1turn") {
            std::cout << "response " << (board.mover ? "false" : "true") << std::endl;
        } else if (word == "quit") {
            break;
        }
    }
}
