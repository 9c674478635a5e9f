"""A language server that knows nothing beyond the protocol."""

from pygls.lsp.server import LanguageServer

LanguageServer("nothing", "1").start_io()
