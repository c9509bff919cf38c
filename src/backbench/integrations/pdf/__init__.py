"""The paper a workshop hands out, drawn by Typst in a process of its own."""
