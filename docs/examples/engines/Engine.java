// A complete engine for Dots and Boxes in Java. Improve `choose`. Build: javac Engine.java, run: java Engine
import java.io.*;
import java.util.*;

public class Engine {
    /** A position: the edges that are drawn, the score, and who is to move. */
    static class Board {
        final int rows, cols;
        final List<String> names = new ArrayList<>();
        final Map<String, Integer> numbers = new HashMap<>();
        final List<List<Integer>> beside = new ArrayList<>();
        final boolean[] drawn;
        final int[] sides, boxes = new int[2];
        int mover = 0;

        Board(int rows, int cols) {
            this.rows = rows;
            this.cols = cols;
            // Horizontal edges come first, row by row from the top, then the vertical ones.
            for (int r = 0; r <= rows; r++) for (int c = 0; c < cols; c++) add(2 * c + 1, 2 * r);
            for (int r = 0; r < rows; r++) for (int c = 0; c <= cols; c++) add(2 * c, 2 * r + 1);
            drawn = new boolean[names.size()];
            sides = new int[rows * cols];
        }

        /** Add an edge and the boxes beside it; odd places in both directions are boxes. */
        private void add(int x, int y) {
            String name = "" + (char) ('a' + x) + (2 * rows + 1 - y);
            numbers.put(name, names.size());
            names.add(name);
            int[][] around = x % 2 == 1 ? new int[][] {{x, y - 1}, {x, y + 1}} : new int[][] {{x - 1, y}, {x + 1, y}};
            List<Integer> found = new ArrayList<>();
            for (int[] at : around)
                if (at[0] > 0 && at[0] < 2 * cols + 1 && at[1] > 0 && at[1] < 2 * rows + 1)
                    found.add(at[1] / 2 * cols + at[0] / 2);
            beside.add(found);
        }

        /** Draw an edge. Who completes a box moves again; an opening belongs to nobody. */
        void draw(int edge, boolean isOpening) {
            drawn[edge] = true;
            int captured = 0;
            for (int box : beside.get(edge)) if (++sides[box] == 4) captured++;
            if (isOpening) return;
            boxes[mover] += captured;
            if (captured == 0) mover = 1 - mover;
        }
    }

    /** Read a line such as "position startpos moves b1 c2" or "position fen 0,7,12/". */
    static Board read(Board old, List<String> words) {
        Board board = new Board(old.rows, old.cols);
        if (words.get(1).equals("fen"))
            for (String edge : words.get(2).split("/", 2)[0].split(","))
                if (!edge.isEmpty()) board.draw(Integer.parseInt(edge), true);
        int moves = words.indexOf("moves");
        if (moves >= 0)
            for (String name : words.subList(moves + 1, words.size())) board.draw(board.numbers.get(name), false);
        return board;
    }

    /** Take a box; else draw an edge that gives none away; else any. Your ideas go here. */
    static int choose(Board board, Random random) {
        int best = -1, bestValue = -1, ties = 0;
        for (int edge = 0; edge < board.names.size(); edge++) {
            if (board.drawn[edge]) continue;
            int value = 1;
            for (int box : board.beside.get(edge)) {
                if (board.sides[box] == 3) value = 2;
                else if (board.sides[box] == 2 && value == 1) value = 0;
            }
            if (value > bestValue) {
                bestValue = value;
                ties = 0;
            }
            if (value == bestValue && random.nextInt(++ties) == 0) best = edge;
        }
        return best;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true); // each line at once
        Random random = new Random();
        Board board = new Board(5, 5);
        for (String line; (line = input.readLine()) != null; ) {
            List<String> words = Arrays.asList(line.trim().split("\\s+"));
            switch (words.get(0)) {
                case "ugi" -> output.println("id name Template in Java\nid version 1\n"
                    + "option name UGI_Size type string default 5x5\nugiok");
                case "isready" -> output.println("readyok");
                case "setoption" -> {
                    String[] size = words.get(4).split("x");
                    board = new Board(Integer.parseInt(size[0]), Integer.parseInt(size[1]));
                }
                case "position" -> board = read(board, words);
                case "go" -> output.println("bestmove " + board.names.get(choose(board, random)));
                case "query" -> {
                    if (words.get(1).equals("p1turn")) output.println("response " + (board.mover == 0));
                }
                case "quit" -> System.exit(0);
            }
        }
    }
}
