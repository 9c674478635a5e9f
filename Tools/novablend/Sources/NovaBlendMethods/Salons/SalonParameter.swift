import Contract
import Domain
import JSON
import JSONRPC

/// The parameter with all members of a salon.
enum SalonParameter {
    private static let name = "salon"

    static let parameter = Method.Parameter(
        name,
        "all members of the salon, as in \(SalonMethods.get); members that are left out are removed",
        isRequired: true,
        schema: ObjectSchema(properties).fragment
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
        do throws(JSONError) {
            let salon = try SalonCodec.read(value)
            try checkMembers(of: value, salon)
            return salon
        } catch {
            guard case .mismatch(let path, let expected) = error else {
                throw .invalidParams(error.description, parameter: name)
            }
            let inside = path.description.dropFirst(value.path.count)
            throw .invalidParams("\"\(name)\(inside)\" must be \(expected)", parameter: name)
        }
    }

    /// The hours and prices as text are part of results. They are accepted if they have not been
    /// changed.
    private static func checkMembers(of value: JSONValue, _ salon: Salon) throws(JSONError) {
        let object = try value.object()
        try checkKeys(of: object, Schemas.salon)
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
            throw member.mismatch(
                expected: "absent; the members are \(known.joined(separator: ", "))"
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
