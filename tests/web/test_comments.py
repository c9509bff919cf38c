"""Served modules are without documentation comments, and with all of their code."""

from backbench.site.modules import without_comments


def test_code_after_a_type_comment_is_served() -> None:
    code = b"  /** @type {A} */ (list).push(one);\nexport const two = 2;\n/** Three. */\nconst three = 3;\n"
    served = b"  /** @type {A} */ (list).push(one);\nexport const two = 2;\n\nconst three = 3;\n"
    assert without_comments(code) == served
