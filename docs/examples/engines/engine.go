// A complete engine for Dots and Boxes in Go. Improve choose. Build: go build -o mybot engine.go
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// Board is a position: the edges that are drawn, the score, and who is to move.
type Board struct {
	rows, cols, mover int
	boxes             [2]int
	names             []string
	numbers           map[string]int
	beside            [][]int
	drawn             []bool
	sides             []int
}

func newBoard(rows, cols int) *Board {
	board := &Board{rows: rows, cols: cols, numbers: map[string]int{}, sides: make([]int, rows*cols)}
	// Horizontal edges, at odd columns, come first, row by row from the top.
	for _, odd := range []int{1, 0} {
		for y := 1 - odd; y <= 2*rows; y += 2 {
			for x := odd; x <= 2*cols; x += 2 {
				board.add(x, y)
			}
		}
	}
	return board
}

// add adds an edge and the boxes beside it; odd places in both directions are boxes.
func (board *Board) add(x, y int) {
	name := fmt.Sprintf("%c%d", 'a'+x, 2*board.rows+1-y)
	board.numbers[name] = len(board.names)
	board.names = append(board.names, name)
	var found []int
	for _, step := range []int{-1, 1} {
		a, b := x+step*(1-x%2), y+step*(x%2)
		if a > 0 && a < 2*board.cols+1 && b > 0 && b < 2*board.rows+1 {
			found = append(found, b/2*board.cols+a/2)
		}
	}
	board.beside = append(board.beside, found)
	board.drawn = append(board.drawn, false)
}

// draw draws an edge. Who completes a box moves again; an opening belongs to nobody.
func (board *Board) draw(edge int, isOpening bool) {
	board.drawn[edge] = true
	captured := 0
	for _, box := range board.beside[edge] {
		if board.sides[box]++; board.sides[box] == 4 {
			captured++
		}
	}
	if captured > 0 && !isOpening {
		board.boxes[board.mover] += captured
	} else if !isOpening {
		board.mover = 1 - board.mover
	}
}

// read reads a line such as "position startpos moves b1 c2" or "position fen 0,7,12/".
func read(old *Board, line string) *Board {
	board := newBoard(old.rows, old.cols)
	start, moves, _ := strings.Cut(line, " moves ")
	for _, text := range strings.Split(strings.Trim(start, "/ abcdefghijklmnopqrstuvwxyz"), ",") {
		if edge, err := strconv.Atoi(text); err == nil {
			board.draw(edge, true)
		}
	}
	for _, name := range strings.Fields(moves) {
		board.draw(board.numbers[name], false)
	}
	return board
}

// choose takes a box; else it draws an edge that gives none away; else any. Your ideas go here.
func choose(board *Board) int {
	best, bestValue := -1, -1
	for _, edge := range rand.Perm(len(board.names)) {
		value := 1
		for _, box := range board.beside[edge] {
			if sides := board.sides[box]; sides == 3 || sides == 2 && value == 1 {
				value = 2 * (sides - 2)
			}
		}
		if !board.drawn[edge] && value > bestValue {
			best, bestValue = edge, value
		}
	}
	return best
}

func main() {
	board := newBoard(5, 5)
	about := "id name Template in Go\nid version 1\noption name UGI_Size type string default 5x5\n"
	answers := map[string]string{"ugi": about + "ugiok\n", "isready": "readyok\n"}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan() && lines.Text() != "quit"; {
		words := strings.Fields(lines.Text() + " .")
		fmt.Print(answers[words[0]])
		switch words[0] {
		case "setoption":
			var rows, cols int
			fmt.Sscanf(words[4], "%dx%d", &rows, &cols)
			board = newBoard(rows, cols)
		case "position":
			board = read(board, lines.Text())
		case "go":
			fmt.Println("bestmove " + board.names[choose(board)])
		}
	}
}
