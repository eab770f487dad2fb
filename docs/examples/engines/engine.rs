// A complete engine for Dots and Boxes in Rust. Improve `choose`. Build: rustc -O -o mybot engine.rs
use std::collections::HashMap;
use std::io::{self, BufRead};

/// A position: the edges that are drawn, the score, and who is to move.
struct Board {
    rows: usize,
    cols: usize,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    beside: Vec<Vec<usize>>,
    drawn: Vec<bool>,
    sides: Vec<u8>,
    boxes: [usize; 2],
    mover: usize,
}

impl Board {
    fn new(rows: usize, cols: usize) -> Board {
        let mut board = Board {
            rows,
            cols,
            names: vec![],
            numbers: HashMap::new(),
            beside: vec![],
            drawn: vec![],
            sides: vec![0; rows * cols],
            boxes: [0, 0],
            mover: 0,
        };
        // Horizontal edges come first, row by row from the top, then the vertical ones.
        (0..=rows).for_each(|r| (0..cols).for_each(|c| board.add(2 * c + 1, 2 * r)));
        (0..rows).for_each(|r| (0..=cols).for_each(|c| board.add(2 * c, 2 * r + 1)));
        board
    }

    /// Add an edge and the boxes beside it; odd places in both directions are boxes.
    fn add(&mut self, x: usize, y: usize) {
        let name = format!("{}{}", (b'a' + x as u8) as char, 2 * self.rows + 1 - y);
        self.numbers.insert(name.clone(), self.names.len());
        self.names.push(name);
        let around = if x % 2 == 1 {
            [(x, y.wrapping_sub(1)), (x, y + 1)]
        } else {
            [(x.wrapping_sub(1), y), (x + 1, y)]
        };
        let (wide, high, cols) = (2 * self.cols, 2 * self.rows, self.cols);
        let inside = around.iter().filter(|(a, b)| *a <= wide && *b <= high);
        self.beside.push(inside.map(|(a, b)| b / 2 * cols + a / 2).collect());
        self.drawn.push(false);
    }

    /// Draw an edge. Who completes a box moves again; an opening belongs to nobody.
    fn draw(&mut self, edge: usize, is_opening: bool) {
        self.drawn[edge] = true;
        let mut captured = 0;
        for &place in &self.beside[edge] {
            self.sides[place] += 1;
            captured += (self.sides[place] == 4) as usize;
        }
        if !is_opening {
            self.boxes[self.mover] += captured;
            if captured == 0 {
                self.mover = 1 - self.mover;
            }
        }
    }

    /// Read the words of a line such as "position fen 0,7,12/ moves b1 c2".
    fn read(&mut self, words: &[&str]) {
        *self = Board::new(self.rows, self.cols);
        if words[1] == "fen" {
            let opening = words[2].split('/').next().unwrap_or("");
            for edge in opening.split(',').filter_map(|word| word.parse().ok()) {
                self.draw(edge, true);
            }
        }
        for name in words.iter().skip_while(|word| **word != "moves").skip(1) {
            self.draw(self.numbers[*name], false);
        }
    }
}

/// Take a box; else draw an edge that gives none away; else the first one. Your ideas go here.
fn choose(board: &Board) -> usize {
    let value = |edge: &usize| {
        let sides: Vec<u8> = board.beside[*edge].iter().map(|place| board.sides[*place]).collect();
        if sides.contains(&3) { 2 } else if sides.contains(&2) { 0 } else { 1 }
    };
    (0..board.names.len()).filter(|edge| !board.drawn[*edge]).max_by_key(value).unwrap()
}

fn main() {
    let mut board = Board::new(5, 5);
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied().unwrap_or("") {
            "ugi" => println!("id name Template in Rust\nid version 1\noption name UGI_Size type string default 5x5\nugiok"),
            "isready" => println!("readyok"),
            "setoption" => {
                let size: Vec<usize> = words[4].split('x').filter_map(|n| n.parse().ok()).collect();
                board = Board::new(size[0], size[1]);
            }
            "position" => board.read(&words),
            "go" => println!("bestmove {}", board.names[choose(&board)]),
            "query" if words[1] == "p1turn" => println!("response {}", board.mover == 0),
            "quit" => break,
            _ => {}
        }
    }
}
