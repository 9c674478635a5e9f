public import JSON

extension SalonCodec {
    /// Writes what `read` would read as `write` would write it, and throws what `read` would throw.
    ///
    /// A list of a hundred thousand is checked and written on its way to the disk: without a `Salon`
    /// between there is no String a field, which is most of the cost.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        let object = try value.object()
        var members = object.members
        let id = try SalonIDCodec.read(members.required("id"))
        let name = try text(members.required("name"))
        let location = try text(members.required("location"))
        let phone = members.member("phone")
        guard object.count == (phone == nil ? 5 : 6) else {
            // It has more than the seed's members, or one of them twice.
            return write(try read(value), to: &writer)
        }
        try writer.object { writer throws(JSONError) in
            writer.key("id")
            SalonIDCodec.write(id, to: &writer)
            writer.key("name")
            try writer.string(name)
            writer.key("location")
            try writer.string(location)
            if let phone, !phone.isNull {
                writer.key("phone")
                try writer.string(phone)
            }
            writer.key("open_time")
            try TimeOfDayCodec.copy(members.required("open_time"), to: &writer)
            writer.key("close_time")
            try TimeOfDayCodec.copy(members.required("close_time"), to: &writer)
        }
    }

    /// Refuses at the place where `read` would, so that the error is the same.
    private static func text(_ value: JSONValue) throws(JSONError) -> JSONValue {
        try value.withUTF8 { _ in value }
    }
}
