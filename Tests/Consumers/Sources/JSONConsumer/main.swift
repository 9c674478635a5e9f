import JSON

let bytes = Array(#"{"name": "Torstraße"}"#.utf8)
let document = try JSONDocument(parsing: bytes)
let name = try document.root.object().required("name").string()
let reply = JSONFragment.object { $0.member("hello", name) }
precondition(reply.description == #"{"hello":"Torstraße"}"#)
