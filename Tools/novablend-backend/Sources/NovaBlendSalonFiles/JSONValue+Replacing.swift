import JSON

extension JSONValue {
    /// This value with other values at some paths. A member that is missing is added.
    func replacing(_ replacements: [String: JSONFragment]) throws(JSONError) -> JSONValue {
        let fragment = JSONFragment { write(at: "", replacing: replacements, to: &$0) }
        let limits = JSONLimits(maximumBytes: .max)
        return try JSONDocument(parsing: fragment.bytes, limits: limits).root
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
                    let memberPath = path.appending(member: name)
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

    /// The path of a value whose path in the value at this path is `path`.
    func appending(path: String) -> String {
        isEmpty || path.isEmpty || path.hasPrefix("[") ? self + path : "\(self).\(path)"
    }

    /// The path of a member of the object at this path.
    func appending(member: String) -> String { isEmpty ? member : "\(self).\(member)" }

    /// The name of the member of the value at `base` that this path leads to; empty if it does not
    /// lead below `base`.
    func memberName(below base: String) -> String {
        String(dropFirst(base.count).drop { $0 == "." }.prefix { !".[".contains($0) })
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
