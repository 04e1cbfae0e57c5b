"""A build backend that knows metadata only: with it `pip download` hands over the source distribution without
fetching build tools first."""

import pathlib
import shutil


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / "imgui_bundle-0.dist-info"
    folder.mkdir(parents=True)
    shutil.copy("PKG-INFO", folder / "METADATA")
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    raise RuntimeError("this backend only gives metadata")
