import Contract
import Domain
import JSON
import JSONRPC
import SystemSupport

/// The parameter with all members of a salon.
enum SalonParameter {
    private static let name = "salon"

    static let parameter = Method.Parameter(
        name,
        "all members of the salon, as in \(SalonMethods.get); members that are left out are removed",
        isRequired: true,
        schema: .object(ObjectSchema(properties))
    )

    /// The members of a result, of which a salon must have those that the contract requires. Every
    /// agent loads this schema, so only the times, which are easily misread, are described.
    private static let properties = Schemas.salon.properties.compactMap { property in
        var property = property
        property.isRequired = required.contains(property.name)
        if !property.name.hasSuffix("_time"), property.name != "weekly" { property.summary = nil }
        return property.name == "hours" ? nil : property
    }

    private static let required = SalonCodec.properties.filter(\.isRequired).map(\.name)

    /// Reads the salon. Throws -32602 with the path of an invalid or unknown member. A caller who
    /// misspells a member would otherwise remove it.
    static func read(_ params: Params) throws(RPCError) -> Salon {
        guard let value = params.value(name) else {
            throw .missing(name)
        }
        do {
            let object = try value.object()
            try checkNames(of: object)
            let numeric = try withNumericHours(object)
            let salon = try SalonCodec.read(numeric)
            try checkMembers(of: numeric, salon)
            return salon
        } catch {
            guard case .mismatch(let path, let expected) = error else {
                throw .invalidParams(error.description, parameter: name)
            }
            // The path of a member begins with that of the parameter, or with the member.
            var inside = path.description[...]
            let outside = value.path.description
            if inside.hasPrefix(outside) { inside = inside.dropFirst(outside.count) }
            if let first = inside.first, first != ".", first != "[" { inside = "." + inside }
            throw .invalidParams("\"\(name)\(inside)\" must be \(expected)", parameter: name)
        }
    }

    /// Throws if members are unknown or missing, with the names of all of them.
    private static func checkNames(of object: JSONObject) throws(JSONError) {
        let known = Schemas.salon.properties.map(\.name)
        let unknown = object.map(\.key).filter { !known.contains($0) }
        let missing = required.filter { object.optional(named: $0) == nil }
        if unknown.isEmpty, missing.isEmpty { return }
        let problems = [
            missing.isEmpty ? "" : "with \(missing.joined(separator: ", "))",
            unknown.isEmpty
                ? ""
                : "without "
                    + unknown.map { $0 + NearestName.hint(for: $0, among: known) }
                    .joined(separator: ", "),
        ].filter { !$0.isEmpty }
        throw object.value.mismatch(
            expected: "a salon \(problems.joined(separator: ", and ")); the members are "
                + known.joined(separator: ", ")
        )
    }

    /// The salon with the hours of the contract, which are numbers: models also write `"08:30"`.
    private static func withNumericHours(_ object: JSONObject) throws(JSONError) -> JSONValue {
        var problem: JSONError?
        let numeric = JSONFragment { write(object, to: &$0, &problem) }
        if let problem { throw problem }
        return try JSONDocument(parsing: numeric.bytes).root
    }

    private static func write(
        _ object: JSONObject,
        to writer: inout JSONWriter,
        _ problem: inout JSONError?
    ) {
        writer.object { writer in
            for (key, value) in object {
                writer.key(key)
                if key == "exceptions", let elements = try? value.array() {
                    writer.array { writer in
                        for element in elements {
                            if let object = try? element.object() {
                                write(object, to: &writer, &problem)
                            } else {
                                writer.value(element)
                            }
                        }
                    }
                } else if key.hasSuffix("_time"), value.kind == .string {
                    let time = (try? value.string()).flatMap(timeOfDay)
                    if let time {
                        TimeOfDayCodec.write(time, to: &writer)
                    } else {
                        problem = value.mismatch(expected: #"a time such as 8.30 or "08:30""#)
                        writer.null()
                    }
                } else {
                    writer.value(value)
                }
            }
        }
    }

    private static func timeOfDay(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            let hour = Int(parts[0]), let minute = Int(parts[1])
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }

    /// Checks the hours and prices as text, which are part of results. They are accepted if they
    /// have not been changed. Also rejects unknown members of services, prices, and staff members.
    private static func checkMembers(of value: JSONValue, _ salon: Salon) throws(JSONError) {
        let object = try value.object()
        try checkText(
            object.optional("hours"),
            salon.hoursText,
            "open_time, close_time, and weekly say; change those instead"
        )
        for (element, service) in zip(try elements("services", of: object), salon.services) {
            try checkKeys(of: element, Schemas.service)
            guard let price = try element.optional("price")?.object() else { continue }
            try checkKeys(of: price, Schemas.price)
            try checkText(
                price.optional("text"),
                service.price?.description ?? "",
                "amount and currency say; change those instead"
            )
        }
        for element in try elements("staff", of: object) {
            try checkKeys(of: element, Schemas.staffMember)
        }
    }

    private static func elements(
        _ key: StaticString,
        of object: JSONObject
    ) throws(JSONError) -> [JSONObject] {
        var elements: [JSONObject] = []
        for element in try object.optional(key)?.array().map({ $0 }) ?? [] {
            elements.append(try element.object())
        }
        return elements
    }

    private static func checkKeys(
        of object: JSONObject,
        _ schema: ObjectSchema
    ) throws(JSONError) {
        let known = schema.properties.map(\.name)
        for (key, member) in object where !known.contains(key) {
            let hint = NearestName.hint(for: key, among: known)
            throw member.mismatch(
                expected: "absent\(hint); the members are \(known.joined(separator: ", "))"
            )
        }
    }

    private static func checkText(
        _ value: JSONValue?,
        _ expected: String,
        _ reason: String
    ) throws(JSONError) {
        guard let value, try value.string() != expected else { return }
        throw value.mismatch(expected: "\(expected), as \(reason)")
    }
}
