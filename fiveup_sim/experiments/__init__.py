"""Playing until a question is answered: which strategy is better, what a rule does, how much is luck, studies."""
