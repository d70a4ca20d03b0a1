"""Reads an HTML page the way the tests need it: strictly, and as flat lists."""

from html.parser import HTMLParser

VOID = {"meta", "br", "link", "img", "input", "hr", "col"}


class Page(HTMLParser):
    """A parsed page: its tags, attributes and texts, each tag closed where it belongs."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def links(self):
        return [value for tag, name, value in self.attributes if (tag, name) == ("a", "href")]
