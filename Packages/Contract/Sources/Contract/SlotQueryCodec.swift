public import Domain

/// The query of a URL that requests the slots of a salon.
public enum SlotQueryCodec {
    /// The parameters for a request, in order. The salon is not among them, because it is part of the
    /// path, nor is `enough`, which only the client uses.
    public static func parameters(of request: SlotRequest) -> [(name: String, value: String)] {
        var parameters = [
            (name: "start", value: ISO8601.format(request.start)),
            (name: "end", value: ISO8601.format(request.end)),
        ]
        let options = request.options
        if let id = options.serviceID { parameters.append(("serviceId", id)) }
        if let id = options.staffID { parameters.append(("staffId", id)) }
        if options.seats != 1 { parameters.append(("seats", "\(options.seats)")) }
        if let id = request.movedID { parameters.append(("appointmentId", id)) }
        if request.isExplained { parameters.append(("explain", "true")) }
        if request.isAssigned { parameters.append(("assign", "true")) }
        return parameters
    }
}
