# An RTSP camera for tests: gst-rtsp-server with a few streams. Prints its port, then serves until it is ended.
# Options: --port N, --auth basic|digest (user "admin", password "p@ss:word"), --tls CERTIFICATE KEY, --udp (no other transport).
import argparse

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gio, GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

VIDEO = "videotestsrc is-live=true pattern=ball ! video/x-raw,width=128,height=72,framerate=10/1 ! "
H264 = VIDEO + "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! rtph264pay name=pay0 pt=96 "
H265 = VIDEO + "x265enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! rtph265pay name=pay0 pt=96 "
AUDIO = "audiotestsrc is-live=true wave=ticks ! "
STREAMS = {
    "/aac": H264 + AUDIO + "audio/x-raw,rate=48000,channels=2 ! voaacenc ! rtpmp4gpay name=pay1 pt=97",
    "/alaw": H264 + AUDIO + "audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay name=pay1 pt=8",
    "/opus": H264 + AUDIO + "audio/x-raw,rate=48000,channels=2 ! opusenc ! rtpopuspay name=pay1 pt=97",
    "/hevc": H265,
    "/mjpeg": VIDEO + "videoconvert ! video/x-raw,format=I420 ! jpegenc ! rtpjpegpay name=pay0 pt=26",
}


def authentication(options):
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "user")
    if options.auth == "basic":
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic("admin", "p@ss:word"), token)
    else:
        auth.set_supported_methods(2)  # GST_RTSP_AUTH_DIGEST
        auth.add_digest("admin", "p@ss:word", token)
    return auth


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", default="0")
    parser.add_argument("--auth", choices=["basic", "digest"])
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--udp", action="store_true")
    options = parser.parse_args()
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(options.port)
    auth = authentication(options) if options.auth else GstRtspServer.RTSPAuth() if options.tls else None
    if options.tls:
        auth.set_tls_certificate(Gio.TlsCertificate.new_from_files(*options.tls))
    if not options.auth and auth:
        token = GstRtspServer.RTSPToken()
        token.set_string("media.factory.role", "user")
        auth.set_default_token(token)
    if auth:
        server.set_auth(auth)
    for path, pipeline in STREAMS.items():
        factory = GstRtspServer.RTSPMediaFactory()
        factory.set_launch(f"( {pipeline} )")
        factory.set_shared(True)
        if options.udp:
            factory.set_protocols(GstRtsp.RTSPLowerTrans.UDP)
        if auth:
            permissions = GstRtspServer.RTSPPermissions()
            permissions.add_permission_for_role("user", "media.factory.access", True)
            permissions.add_permission_for_role("user", "media.factory.construct", True)
            factory.set_permissions(permissions)
        server.get_mount_points().add_factory(path, factory)
    server.attach(None)
    print(server.get_bound_port(), flush=True)
    GLib.MainLoop().run()


main()
