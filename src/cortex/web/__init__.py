"""The outside over HTTP: routes, the answer stream, the page, and the checks that keep other web pages out.

Owns requests and responses; holds no domain logic: a handler reads its input, calls one verb and shapes the output.
`app.create_app` builds it; importing this package alone does not load the web framework.
"""
