import JSON
import JSONRPC
import SystemSupport

/// The members of each listed object that a caller selects. The member that identifies the object is
/// always included.
struct FieldSelection {
    /// Everything about an appointment that may be logged.
    static let impersonal = FieldSelection(
        Set(AppointmentView.schema.properties.map(\.name)).subtracting(Schemas.personal)
    )

    private let selected: Set<String>?

    private init(_ selected: Set<String>) { self.selected = selected }

    static func parameter(
        of schema: @escaping @autoclosure @Sendable () -> ObjectSchema,
        key: String = "id"
    ) -> Method.Parameter {
        .init(
            "fields",
            "members besides \(key); all by default",
            .array(of: .string(in: schema().properties.map(\.name)))
        )
    }

    /// Reads the selection; throws -32602 for an unknown member.
    init(
        _ call: Call,
        of schema: @autoclosure () -> ObjectSchema,
        key: String = "id"
    ) throws(RPCError) {
        let names = try call.params.read("fields") { value throws(JSONError) in
            var names: [String] = []
            for element in try value.array() { names.append(try element.string()) }
            return names
        }
        guard let names else {
            selected = nil
            return
        }
        let known = schema().properties.map(\.name)
        let unknown = Array(names.filter { !known.contains($0) }.prefix(10))
        if !unknown.isEmpty {
            let hints = unknown.map { "\"\($0)\"\(NearestName.hint(for: $0, among: known))" }
            throw .invalidParams(
                "\"fields\" contains unknown names: \(hints.joined(separator: ", ")); known names: "
                    + known.joined(separator: ", "),
                parameter: "fields",
                unknown: unknown
            )
        }
        selected = Set(names).union([key])
    }

    /// The schema of an array whose elements are `whole`, or, if the caller selects members, have these
    /// and `key`.
    static func array(
        of whole: ObjectSchema,
        selectedAs name: String,
        key: String = "id"
    ) -> JSONSchema {
        var selected = whole.named(name)
        for index in whole.properties.indices {
            selected.properties[index].isRequired =
                whole.properties[index].isRequired && whole.properties[index].name == key
        }
        return .array(of: .anyOf([.object(whole), .object(selected)]))
    }

    /// Whether the member `name` is selected.
    func includes(_ name: String) -> Bool { selected?.contains(name) ?? true }

    /// Whether the caller has named the member `name`.
    func names(_ name: String) -> Bool { selected?.contains(name) ?? false }

    /// Whether all members are selected.
    var isEverything: Bool { selected == nil }

    /// Writes the object that `body` writes, with the selected members.
    func write<E: Error>(
        to writer: inout JSONWriter,
        _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        guard let selected else { return try body(&writer) }
        let whole = try JSONFragment(body).bytes
        whole.withUnsafeBytes { bytes in
            writer.object { writer in
                for member in JSONScanner.memberRanges(ofObjectIn: bytes) {
                    // The range includes the quotes. Our keys contain no escapes.
                    let key = String(
                        decoding: bytes[member.key].dropFirst().dropLast(),
                        as: UTF8.self
                    )
                    if selected.contains(key) {
                        writer.member(named: key, JSONFragment(trusted: Array(bytes[member.value])))
                    }
                }
            }
        }
    }
}
