"""What makes several processes one server: leases on logs, and links between the processes."""
