"""A model of a large cluster: what each part costs, and which of them is full first."""
