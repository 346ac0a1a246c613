"""What people read: pages, tables, figures and pictures made of results, and the studies they come from."""
