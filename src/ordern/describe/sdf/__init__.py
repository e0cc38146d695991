"""SDF, the format of Gazebo: read and written."""
