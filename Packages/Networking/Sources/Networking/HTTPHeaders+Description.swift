extension HTTPHeaders: CustomStringConvertible {
    /// The fields in order, such as `["Accept": "*/*", "Authorization": "..."]`. The values of fields
    /// that contain credentials are replaced.
    public var description: String {
        let texts = fields.map { field in
            let isSecret = Self.secretNames.contains(field.name.lowercased())
            return
                "\(field.name.debugDescription): \(isSecret ? "\"...\"" : field.value.debugDescription)"
        }
        return texts.isEmpty ? "[:]" : "[\(texts.joined(separator: ", "))]"
    }

    private static let secretNames: Set = [
        "authorization", "cookie", "proxy-authorization", "set-cookie",
    ]
}
