import JSON

/// The errors that `rpc.discover` declares for each method; it is called once for all tests.
enum DeclaredErrors {
    private static let codes = Task { () throws -> [String: Set<Int>] in
        let methods = try await Novablend([]).result("rpc.discover").required("methods").array()
        let codes = try methods.map { method in
            let method = try method.object()
            let errors = try method.required("errors").array()
            return (
                try method.required("name").string(),
                Set(try errors.map { try $0.object().required("code").integer() })
            )
        }
        return Dictionary(uniqueKeysWithValues: codes)
    }

    /// The codes of the errors that a method declares.
    static func codes(of method: String) async throws -> Set<Int> {
        try await codes.value[method] ?? []
    }
}
