"""The bot `mcts`: UCT with rollouts, for any game, with compiled kernels for Dots and Boxes."""
