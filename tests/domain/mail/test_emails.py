"""Rendering of emails: the HTML that the templates produce, byte for byte."""

from backbench.domain.mail.emails import render_email

STYLE_OF_BUTTON = "background:#8a4b21;color:#fff;padding:12px 22px;border-radius:6px;text-decoration:none"
WITH_BUTTON = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An invitation to a workshop'
    '</title></head><body style="margin:0;background:#faf7f2">'
    '<div style="max-width:520px;margin:0 auto;padding:32px 20px;font:16px/1.6 system-ui,-apple-system'
    ',Segoe UI,sans-serif;color:#2b2622"><p>Hello,</p>'
    "<p>Eve &lt;b&gt; would like to work with you in the workshop “Oak &amp; Ash $5” on Backbench.</p>"
    f'<p style="margin:28px 0"><a href="https://x/?a=1&amp;b=2#token=$t" style="{STYLE_OF_BUTTON}">Join the workshop'
    '</a></p><p style="font-size:13px;color:#6d6259;word-break:break-all">https://x/?a=1&amp;b=2#token=$t</p>'
    "<p>The link works once, for 7 days. To join, sign in with this address, or create an account for it.</p>"
    "<p>You don&#x27;t know this person? Then simply delete this mail.</p><p>Good work to you<br>Backbench</p>"
    "</div></body></html>"
)
WITHOUT_BUTTON = (
    '<!doctype html><html lang="pl"><head><meta charset="utf-8"><title>Twoje konto zostało usunięte'
    '</title></head><body style="margin:0;background:#faf7f2">'
    '<div style="max-width:520px;margin:0 auto;padding:32px 20px;font:16px/1.6 system-ui,-apple-system'
    ',Segoe UI,sans-serif;color:#2b2622"><p>Dzień dobry,</p>'
    "<p>zgodnie z Twoim życzeniem usunęliśmy konto w Backbench wraz z pracowniami, które należały tylko do Ciebie.</p>"
    "<p>Dziękujemy za wspólny czas. Zawsze możesz do nas wrócić.</p><p>Dobrej pracy<br>Backbench</p>"
    "</div></body></html>"
)


def test_html_of_an_email_with_a_button_is_unchanged() -> None:
    content = render_email(
        "invitation", "en", "https://x/?a=1&b=2#token=$t", inviter="Eve <b>", workshop="the workshop “Oak & Ash $5”"
    )

    assert content.html == WITH_BUTTON


def test_html_of_an_email_without_a_button_is_unchanged() -> None:
    assert render_email("goodbye", "pl").html == WITHOUT_BUTTON
