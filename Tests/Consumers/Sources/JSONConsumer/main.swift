import JSON

let document = try JSONDocument(parsing: Array(#"{"name": "Torstraße"}"#.utf8))
let name = try document.root.object().required("name").string()
precondition(name == "Torstraße")
