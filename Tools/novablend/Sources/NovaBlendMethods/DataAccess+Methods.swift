package import JSONRPC

/// The data that each method reads and changes. A call waits only for changes to its data.
extension DataAccess {
    /// Returns the methods, each with the data that it reads and changes.
    package static func declared(in methods: [ObjectMethod]) -> [ObjectMethod] {
        let lists = methods.compactMap { method in
            method.name.hasSuffix("/list") ? String(method.name.dropLast("/list".count)) : nil
        }
        return methods.map { method in
            var method = method
            method.data = access(of: method.name, lists: lists)
            return method
        }
    }

    /// The data of a method; nil for an unknown method, which waits for all changes.
    private static func access(of method: String, lists: [String]) -> DataAccess? {
        switch method {
        case "salons/list", "salons/get", "services/list", "staff/list":
            DataAccess(reads: ["salons"])
        case "salons/put", "salons/delete":
            DataAccess(reads: ["appointments"], changes: ["salons"])
        case "salons/availability", "appointments/list":
            DataAccess(reads: ["salons", "appointments"])
        case "appointments/book", "appointments/reschedule", "appointments/cancel",
            "appointments/resolve", "appointments/hold", "appointments/release":
            DataAccess(reads: ["salons"], changes: ["appointments"])
        case "appointments/export":
            DataAccess(reads: ["salons", "appointments"], changes: ["files"])
        // Reports what is on disk now, even while a booking is in progress.
        case "cache/status": DataAccess(reads: ["cache"])
        case "cache/validate", "cache/clear":
            DataAccess(changes: Set(["cache", "images"] + lists))
        default: access(ofList: method, lists)
        }
    }

    private static func access(ofList method: String, _ lists: [String]) -> DataAccess? {
        guard let name = lists.first(where: { method.hasPrefix("\($0)/") }) else { return nil }
        switch method.dropFirst(name.count + 1) {
        case "list": return DataAccess(reads: [name])
        case "image": return DataAccess(reads: [name, "images"], changes: ["files"])
        default: return nil
        }
    }
}
