public import JSON

extension SalonCodec {
    /// Reads a model and writes it, like `read` followed by `write`, with the same errors.
    ///
    /// It creates no `Salon`, because creating a `String` for each field is most of the cost for a
    /// large list.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        do {
            try copyMembers(of: value.object(), to: &writer)
        } catch {
            // If several members are invalid, report the one that `read` finds first.
            _ = try read(value)
            throw error
        }
    }

    private static func copyMembers(
        of object: JSONObject,
        to writer: inout JSONWriter
    ) throws(JSONError) {
        var members = object.members
        let id = try members.required("id")
        let (name, location) = (try members.required("name"), try members.required("location"))
        let phone = members.member("phone")
        guard object.count == (phone == nil ? 5 : 6) else {
            // The object has more members than the ones that are copied below, or one of them
            // twice.
            return write(try read(object.value), to: &writer)
        }
        try writer.object { writer throws(JSONError) in
            writer.key("id")
            try SalonIDCodec.copy(id, to: &writer)
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
}
