import JSON

extension JSONValue {
    /// This value with other values at some paths. A member that is missing is added.
    func replacing(_ replacements: [String: JSONFragment]) throws(JSONError) -> JSONValue {
        let fragment = JSONFragment { write(at: "", replacing: replacements, to: &$0) }
        let limits = JSONLimits(maximumBytes: .max)
        return try JSONDocument(parsing: fragment.bytes, limits: limits).root
    }

    /// The value at a path below this value, whose own path is `base`; nil if it does not exist.
    func descendant(at path: String, from base: String = "") -> JSONValue? {
        if path == base { return self }
        if let array = try? array() {
            for (index, element) in array.enumerated() {
                let elementPath = "\(base)[\(index)]"
                guard path.isAtOrBelow(elementPath) else { continue }
                return element.descendant(at: path, from: elementPath)
            }
        } else if let object = try? object() {
            for (name, member) in object {
                let memberPath = base.isEmpty ? name : "\(base).\(name)"
                guard path.isAtOrBelow(memberPath) else { continue }
                return member.descendant(at: path, from: memberPath)
            }
        }
        return nil
    }

    private func write(
        at path: String,
        replacing replacements: [String: JSONFragment],
        to writer: inout JSONWriter
    ) {
        if let replacement = replacements[path] {
            writer.raw(replacement)
        } else if let array = try? array() {
            writer.array { writer in
                for (index, element) in array.enumerated() {
                    element.write(at: "\(path)[\(index)]", replacing: replacements, to: &writer)
                }
            }
        } else if let object = try? object() {
            writer.object { writer in
                // The codec uses the first of several members with the same name.
                var written: Set<String> = []
                for (name, member) in object {
                    let memberPath = path.isEmpty ? name : "\(path).\(name)"
                    guard written.insert(memberPath).inserted else { continue }
                    writer.key(name)
                    member.write(at: memberPath, replacing: replacements, to: &writer)
                }
                for (memberPath, value) in replacements
                where !memberPath.isEmpty && memberPath.parentPath == path
                    && !memberPath.hasSuffix("]") && !written.contains(memberPath)
                {
                    writer.member(named: memberPath.lastName, value)
                }
            }
        } else {
            writer.value(self)
        }
    }
}

/// Paths such as `exceptions[2].date`.
extension String {
    /// The path of the object or array that contains the value; empty for a member of the root.
    var parentPath: String {
        lastIndex { $0 == "." || $0 == "[" }.map { String(self[..<$0]) } ?? ""
    }

    /// The name of the member at the end of the path.
    var lastName: String {
        lastIndex(of: ".").map { String(self[index(after: $0)...]) } ?? self
    }

    /// The path with `[]` for every index, such as `exceptions[].date`.
    var withoutIndexes: String {
        var path = ""
        var isIndex = false
        for character in self {
            if character == "]" { isIndex = false }
            if !isIndex { path.append(character) }
            if character == "[" { isIndex = true }
        }
        return path
    }
}
