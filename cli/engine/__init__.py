"""The command `doublecross engine`: engines that are programs of their own."""
