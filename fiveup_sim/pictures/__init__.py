"""Tables of a hand as pictures."""
