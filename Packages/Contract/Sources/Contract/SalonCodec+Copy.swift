public import JSON

extension SalonCodec {
    /// Writes what `read` would read as `write` would write it, and throws what `read` would throw.
    ///
    /// A list of a hundred thousand is checked and written on its way to the disk: without a `Salon`
    /// between there is no String a field, which is most of the cost.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        do throws(JSONError) {
            try copyMembers(of: value.object(), to: &writer)
        } catch {
            // Where several members are wrong, it is the one that `read` meets first.
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
            // It has more than the seed's members, or one of them twice.
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
