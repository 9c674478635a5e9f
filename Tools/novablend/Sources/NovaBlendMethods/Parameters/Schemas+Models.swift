import Contract
import Domain
import JSON

/// The models in results: the members that the contract defines, and those that this program adds.
extension Schemas {
    static let price: ObjectSchema = {
        var price = model(PriceCodec.schema)
        price.properties.append(.optional("text", .string, "such as 45.00 EUR"))
        return price
    }()

    static let service = model(ServiceCodec.schema, ["price": .object(price)])

    static let staffMember = model(StaffMemberCodec.schema, ["exceptions": exceptions])

    static let salon: ObjectSchema = {
        var salon = model(
            SalonCodec.schema,
            [
                "id": .uuid, "exceptions": exceptions, "services": .array(of: .object(service)),
                "staff": .array(of: .object(staffMember)),
            ]
        )
        let hours = ObjectSchema.Property.optional(
            "hours",
            .string,
            "as text; absent in lists of over 100"
        )
        let closing = salon.properties.firstIndex { $0.name == "close_time" }
        salon.properties.insert(hours, at: closing.map { $0 + 1 } ?? salon.properties.endIndex)
        return salon
    }()

    /// The members of an appointment in the contract that results have, too. Its end and its service are
    /// among those of ``AppointmentView``.
    static let appointment: ObjectSchema = {
        let booked = Appointment.Status.booked.name
        var appointment = model(
            AppointmentCodec.schema,
            [
                "salonId": .uuid,
                "status": .string.defaulting { $0.string(booked) },
                "seats": .integer.defaulting { $0.integer(1) },
                "staffAssigned": .boolean.defaulting { $0.bool(false) },
            ]
        )
        appointment.properties.removeAll { ["endTime", "bookedService"].contains($0.name) }
        return appointment
    }()

    private static let exceptions = JSONSchema.array(
        of: .object(ObjectSchema(merging: OpeningExceptionCodec.schema).named("OpeningException"))
    )

    /// The schema of an element of a list, from that of its codec. `image` says what the URL of an image
    /// is for.
    static func element(_ schema: JSONSchema, image: String) -> ObjectSchema {
        let formats: [JSONSchema: JSONSchema] = [
            IdentifierCodec.schema: .uuid, CalendarDateCodec.schema: .date,
        ]
        var element = schema.object
        element.properties = element.properties.map { property in
            let isID = property.name == "id"
            let type = formats[property.schema] ?? (isID ? .string : property.schema.outline)
            let summary = property.schema == ImageURLCodec.schema ? image : property.summary
            return .init(property.name, type, summary, isRequired: property.isRequired)
        }
        return element
    }

    /// The schema of a model, with the types of `replaced` members.
    private static func model(
        _ schema: JSONSchema,
        _ replaced: [String: JSONSchema] = [:]
    ) -> ObjectSchema {
        var model = schema.outline.object
        for index in model.properties.indices {
            let name = model.properties[index].name
            if let type = replaced[name] { model.properties[index].schema = type }
        }
        return model
    }
}

extension JSONSchema {
    /// The types of the values, without limits: agents load the schema of a salon, and results need no
    /// checks.
    fileprivate var outline: JSONSchema {
        switch self {
        case .object(let object): .object(object.outline)
        case .array(let element): .array(of: element.outline)
        case .anyOf: .object(ObjectSchema(merging: self))
        case .encoded(let fragment):
            isSimple ? self : Self.outline(of: try? JSONDocument(parsing: fragment.bytes).root)
        }
    }

    private static func outline(of value: JSONValue?) -> JSONSchema {
        guard let schema = try? value?.object() else { return .any }
        if let items = schema["items"] { return .array(of: outline(of: items)) }
        guard let type = schema["type"] else { return .any }
        return JSONSchema.any.adding("type", JSONFragment { $0.value(type) })
    }

    /// The schema of an object; an empty one for any other value.
    fileprivate var object: ObjectSchema {
        if case .object(let object) = self { object } else { ObjectSchema() }
    }
}

extension ObjectSchema {
    /// Merges the alternatives of a schema into the schema of one object with the members of all.
    /// Members that an alternative lacks are optional.
    fileprivate init(merging schema: JSONSchema) {
        self.init()
        guard case .anyOf(let alternatives) = schema else { return }
        let kinds = alternatives.map(\.object.properties)
        for property in kinds.joined() where property.schema != .null {
            if properties.contains(where: { $0.name == property.name }) { continue }
            let isRequired = kinds.allSatisfy { kind in
                kind.contains { $0.name == property.name && $0.isRequired }
            }
            properties.append(
                Property(property.name, property.schema.outline, isRequired: isRequired)
            )
        }
    }

    fileprivate var outline: ObjectSchema {
        var outline = self
        outline.isClosed = false
        for index in properties.indices {
            outline.properties[index].schema = properties[index].schema.outline
        }
        return outline
    }
}
